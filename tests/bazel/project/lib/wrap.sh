#!/bin/sh
exec "$@" # as it is
