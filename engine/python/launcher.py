"""
Runs one script for Millrace. The job is one line of JSON on standard input, which stays open: its end means stop.
The script's output goes to 1 and 2, what it sets to 3, and how its process ended to 4, both as JSON.
"""

import json
import os
import select
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import confinement
import script_run

sys.path.pop(0)

RESULT, REPORT = 3, 4
WATCH_SECONDS = 0.02
PAGE_BYTES = os.sysconf('SC_PAGE_SIZE')


def main():
    job = json.loads(read_line(0))
    folder = os.getcwd()
    needed = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.abspath(__file__)), *sys.path]
    has_no_network, has_own_files = confinement.leave_machine(folder, job['maxMegabytes'], needed)
    confinement.adopt_orphans()
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        for number in (REPORT, ended, wake):
            os.close(number)
        start(job, folder, has_no_network, parent)
    for number in (1, 2, RESULT):
        os.close(number)
    report({'process': child})
    end, status = watch(child, ended, job)
    kill_all(child)
    code = os.waitstatus_to_exitcode(status)
    report({'end': end, 'code': code, 'hasNoNetwork': has_no_network, 'hasOwnFiles': has_own_files})


def report(line):
    os.write(REPORT, json.dumps(line).encode() + b'\n')


def start(job, folder, is_isolated, parent):
    """Becomes the process of the script; does not return."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # The process that watches the script gets the processor first, however many processes the script starts.
    os.nice(10)
    # The script has a group of its own: one signal reaches all its processes.
    os.setpgid(0, 0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    confinement.give_up_rights(folder, is_isolated)
    # This comes after the rights: a change of the user resets it.
    confinement.end_with_parent()
    if not is_isolated and os.getppid() != parent:
        os._exit(1)
    if not os.access(os.__file__, os.R_OK):
        script_run.answer(RESULT, {'kind': 'unsafe', 'why': 'unreadable'})
    confinement.limit_resources(job, is_isolated)
    if not confinement.is_bounded():
        script_run.answer(RESULT, {'kind': 'unsafe', 'why': 'unbounded'})
    os.environ.clear()
    os.environ.update({'HOME': folder, 'TMPDIR': folder, 'LANG': 'C.UTF-8', 'TZ': 'UTC'})
    time.tzset()
    script_run.run(job, RESULT)


def read_line(number):
    """Reads without a buffer, because the bytes after the line belong to `watch`."""
    chunks = []
    while not chunks or not chunks[-1].endswith(b'\n'):
        chunk = os.read(number, 65536)
        if chunk == b'':
            os._exit(1)
        chunks.append(chunk)
    return b''.join(chunks)


def watch(child, ended, job):
    """Waits until the script ends or must be ended. Returns the reason, and the status of its process."""
    while True:
        readable = select.select([0, ended], [], [], WATCH_SECONDS)[0]
        if ended in readable:
            os.read(ended, 4096)
        status = reap(child)
        if status is not None:
            return 'ended', status
        if 0 in readable and os.read(0, 1) == b'':
            return 'stopped', 0
        processes = processes_below(os.getpid(), job['maxProcesses'] + 1)
        if len(processes) > job['maxProcesses']:
            return 'processes', 0
        if sum(map(memory_of, processes)) > job['maxMemoryBytes']:
            return 'memory', 0


def reap(child):
    """Takes note of all processes that ended. Returns the status of the script's process; None if it has not ended."""
    child_status = None
    while True:
        try:
            number, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return child_status
        if number == 0:
            return child_status
        if number == child:
            child_status = status


def kill_all(child):
    """In a namespace, the end of the first process ends all. Elsewhere, ends processes until none is left."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            pass
        reap(child)
        processes = processes_below(os.getpid(), 1000)
        for number in processes:
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:
                continue
        if not processes:
            return
        time.sleep(0.005)


def processes_below(root, limit):
    """At most about `limit` processes: a script may start them faster than they are counted."""
    processes, todo = [], [root]
    while todo and len(processes) < limit:
        number = todo.pop()
        try:
            for task in os.listdir(f'/proc/{number}/task'):
                with open(f'/proc/{number}/task/{task}/children') as file:
                    todo.extend(map(int, file.read().split()))
        except OSError:
            # The process has ended.
            pass
        if number != root:
            processes.append(number)
    return processes


def memory_of(number):
    try:
        with open(f'/proc/{number}/statm') as file:
            return int(file.read().split()[1]) * PAGE_BYTES
    except OSError:
        return 0


main()
