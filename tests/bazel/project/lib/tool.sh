#!/bin/sh
exec cc "$@"
