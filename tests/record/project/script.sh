#!/bin/sh
# Starts the program twice.
set -e
"$1" once
"$1" reads data.txt
test ! -e missing.txt
