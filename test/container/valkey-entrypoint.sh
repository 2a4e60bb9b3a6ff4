#!/bin/sh
# What the image of Valkey does at its start: it owns its data, and gives up root.
set -e
if [ "$1" = valkey-server ] && [ "$(id -u)" = 0 ]; then
  find . \! -user valkey -exec chown valkey '{}' +
  exec setpriv --reuid=valkey --regid=valkey --clear-groups -- "$0" "$@"
fi
exec "$@"
