#!/usr/bin/env python3
"""Arithmetic and a simulation of many hosts that publish to one stream, from which relays deliver to Braze.

Without a command it prints the tables of protocol/guides/fleet.md for its options. `check` compares the simulation with
the formulas, and `measure` compares the formulas with a NATS server. The same options give the same numbers.
"""

import argparse
import sys

import checks
import inputs
import measure
import tables


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("command", nargs="?", choices=["tables", "check", "measure"], default="tables")
    parser.add_argument("--port", type=int, help="for measure: the port of a NATS server with JetStream on 127.0.0.1")
    inputs.add_options(parser)
    options = parser.parse_args()
    if options.command == "measure":
        if options.port is None:
            parser.error("measure needs --port: start nats-server -js -a 127.0.0.1 -p PORT")
        return measure.run(options.port)
    chosen = inputs.from_options(options)
    if options.command == "check":
        return checks.run(chosen)
    print(tables.page(chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
