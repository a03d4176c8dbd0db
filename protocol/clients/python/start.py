#!/usr/bin/env python3
"""Becomes the program that is packed with the package pushhost, without the time to import the package."""

import os
import sys
from importlib.util import find_spec

[package] = find_spec("pushhost").submodule_search_locations
os.execv(os.path.join(package, "_program", "bin", "pushhost"), sys.argv)
