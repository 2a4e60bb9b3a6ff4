"""What a script must not reach: the network, other processes, files to write, more than its share of the machine."""

import ctypes
import os
import resource
import sys
import zlib

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
NO_SUID, NO_DEVICES, RECURSIVE, PRIVATE = 0x2, 0x4, 0x4000, 0x40000
READ_ONLY = 0x1
AT_CURRENT, AT_RECURSIVE = -100, 0x8000
# The same number on every architecture.
MOUNT_SETATTR = 442
DEATH_SIGNAL, DROP_BOUND, NO_NEW_PRIVILEGES, SUBREAPER = 1, 24, 38, 36
CAPABILITY_VERSION = 0x20080522
# The number of the user in a user namespace. It owns what the user of Millrace owns.
INNER_ID = 1000
# If Millrace runs as root, a script runs as a user of its own: the kernel does not limit the processes of root.
FIRST_ID, IDS = 61184, 4096
# The number of other processes that the user of Millrace may start while a script runs.
OTHER_PROCESSES = 500
SMALL_FOLDERS = ('/tmp', '/var/tmp', '/dev/shm', '/run')

is_linux = sys.platform.startswith('linux')
libc = ctypes.CDLL(None, use_errno=True) if is_linux else None


class MountAttributes(ctypes.Structure):
    _fields_ = [('set', ctypes.c_uint64), ('clear', ctypes.c_uint64), ('rest', ctypes.c_uint64 * 2)]


def leave_machine(folder, megabytes, needed):
    """
    Moves this process and its children out of the machine's network, and out of its files as far as writing goes.
    Returns whether each of the two was possible. Needs a process with one thread.
    """
    if not is_linux:
        return False, False
    user, group = os.getuid(), os.getgid()
    own_user = 0 if user == 0 else NEW_USER
    if libc.unshare(own_user | NEW_NETWORK | NEW_PIDS | NEW_IPC | NEW_MOUNTS) != 0:
        return False, False
    try:
        if own_user != 0:
            _write('/proc/self/setgroups', 'deny')
            _write('/proc/self/uid_map', f'{INNER_ID} {user} 1')
            _write('/proc/self/gid_map', f'{INNER_ID} {group} 1')
        _limit_files(folder, megabytes, needed)
        return True, True
    except OSError:
        return True, False


def _limit_files(folder, megabytes, needed):
    """Makes everything read-only except folders that are new, empty and in memory."""
    _check(libc.mount(None, b'/', None, RECURSIVE | PRIVATE, None))
    writable = []
    for name in SMALL_FOLDERS:
        place = os.path.realpath(name)
        # An interpreter may be installed there.
        if os.path.isdir(place) and not any((path + '/').startswith(place + '/') for path in needed):
            _mount_memory(place, megabytes)
            writable.append(place)
    os.makedirs(folder, exist_ok=True)
    _mount_memory(folder, megabytes)
    writable.append(folder)
    _set_attributes('/', AT_RECURSIVE, MountAttributes(set=READ_ONLY))
    for place in writable:
        _set_attributes(place, 0, MountAttributes(clear=READ_ONLY))
    os.chdir(folder)


def _mount_memory(place, megabytes):
    options = f'size={megabytes}m,nr_inodes=10000,mode=1777'.encode()
    _check(libc.mount(b'tmpfs', place.encode(), b'tmpfs', NO_SUID | NO_DEVICES, options))


def _set_attributes(place, flags, attributes):
    _check(libc.syscall(MOUNT_SETATTR, AT_CURRENT, place.encode(), flags, ctypes.byref(attributes), 32))


def adopt_orphans():
    """Processes whose parent has ended become children of this one, so that it can end them."""
    if is_linux:
        libc.prctl(SUBREAPER, 1, 0, 0, 0)


def end_with_parent():
    if is_linux:
        libc.prctl(DEATH_SIGNAL, 9, 0, 0, 0)


def give_up_rights(folder, is_isolated):
    """Run before the script, which cannot undo `leave_machine` without these rights. Raises if the process keeps a right."""
    # The script sees its own processes only. If a container does not allow it, the kernel still protects the others.
    if is_isolated and libc.unshare(NEW_MOUNTS) == 0:
        libc.mount(b'proc', b'/proc', b'proc', NO_SUID | NO_DEVICES, None)
    if os.getuid() == 0:
        _leave_root(folder)
    if not is_linux:
        return
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    for right in range(64):
        libc.prctl(DROP_BOUND, right, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    _check(libc.capset(header, (ctypes.c_uint32 * 6)()))


def _leave_root(folder):
    # The folder has a random name: scripts that run at the same time are different users.
    number = FIRST_ID + zlib.crc32(folder.encode()) % IDS
    try:
        os.chown(folder, number, number)
        os.setgroups([])
        os.setgid(number)
        os.setuid(number)
    except OSError:
        # A container may have no other users; `is_bounded` decides.
        return


def is_bounded():
    """Whether the kernel limits the number of processes of this user: it does not limit root."""
    _, most = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, most))
    try:
        child = os.fork()
    except OSError:
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
        return most != resource.RLIM_INFINITY
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return False


def limit_resources(job, is_isolated):
    memory = job['maxMemoryBytes']
    limits = [
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, job['maxMegabytes'] * 1024 * 1024),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 256),
    ]
    # The kernel counts the processes of a user: in a user namespace, or if the script has its own user, only the script's.
    has_own_user = FIRST_ID <= os.getuid() < FIRST_ID + IDS
    others = 0 if is_isolated or has_own_user else threads_of_user() + OTHER_PROCESSES
    limits.append((resource.RLIMIT_NPROC, others + job['maxProcesses']))
    for limit, value in limits:
        try:
            resource.setrlimit(limit, (value, value))
        except (OSError, ValueError):
            # macOS has no limit of memory; a limit of the machine may be lower already.
            continue


def threads_of_user():
    """0 if the system does not list processes: then a script can start hardly any."""
    count, user = 0, os.getuid()
    for name in os.listdir('/proc') if is_linux else ():
        try:
            if name.isdigit() and os.stat(f'/proc/{name}').st_uid == user:
                count += len(os.listdir(f'/proc/{name}/task'))
        except OSError:
            continue
    return count


def _write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def _check(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), 'refused')
