"""Which edges of `retest graph` a trace proves crossed.

    python3 lab/trace/crossed.py TRACE GRAPH [OUTPUT]

A step names a function by its symbol and a place in the file. An entry proves the edge out of the
function's entry; T and F the edges with that label behind the condition, "choice N" the edge that a switch
takes for N, catch the edge "caught" of that handler. Nothing is guessed: where a step fits no edge, or
several functions or branches, it is left out and counted with the reason.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

WORD = 1 << 64
NOWHERE = -1  # no node


def fits(label, value):
    """Whether a switch with this value takes the edge with this label, but for default."""
    if not label.startswith("case "):
        return False
    first, _, last = label[5:].partition("..")
    if last:  # signed or unsigned, as the labels are
        return any(int(first) <= v <= int(last) for v in (value, value % WORD))
    return (int(first) - value) % WORD == 0


class Flow:
    """The branches of one function of the graph, by the place of what they depend on."""

    def __init__(self, function):
        self.edges, self.nodes = function["edges"], function["nodes"]
        self.file = function.get("file")
        self.out, self.into = defaultdict(list), defaultdict(list)
        for number, edge in enumerate(self.edges):
            self.out[edge["from"]].append(number)
            self.into[edge["to"]].append(edge)
        self.branches, self.handlers, self.joins = defaultdict(list), {}, {}
        for node, content in enumerate(self.nodes):
            labels = {self.edges[number]["label"] for number in self.out[node]}
            if content["kind"] == "catch":
                self.handlers[tuple(content["elements"][0]["begin"])] = node
            elif labels & {"T", "F", "default"} and self.join_of(node) is None:
                self.branches[self.place_before(node)].append(node)

    def place_before(self, node):
        """Of the last thing before the branch that was written: the condition. It is in another
        node if it is a call, or if temporaries of it are destroyed in between."""
        seen = set()
        while node is not None and node not in seen:
            seen.add(node)
            place = None if self.destroys(node) else self.last_place(node)
            if place:
                return place
            node = self.node_before(node)
        return None

    def last_place(self, node):
        """Of what is written last in a node; of destruction only if there is nothing else."""
        elements = self.nodes[node].get("elements", [])
        if self.calls_destructor(node) and len(elements) > 1:
            elements = elements[:-1]
        for element in reversed(elements):
            if "end" in element:  # of a condition in a macro only the begin is known
                return (element.get("file", self.file), *element["begin"], *element["end"])
        return None

    def node_before(self, node):
        """The only node from which it is reached, but for temporaries that may be destroyed."""
        before = {edge["from"] for edge in self.into[node] if edge["kind"] != "exception"}
        for decision in self.decisions_before(node):
            if self.join_of(decision) == node and self.all_between(decision, node) >= before:
                return decision
        return before.pop() if len(before) == 1 and len(self.steps_on(*before)) == 1 else None

    def decisions_before(self, node):
        """Branches from which only destruction leads to the node."""
        found, todo = [], [node]
        seen = set()
        while todo:
            for edge in self.into[todo.pop()]:
                before = edge["from"]
                if edge["kind"] == "exception" or before in seen:
                    continue
                seen.add(before)
                if self.destroys(before):
                    todo.append(before)
                elif edge["label"] in ("T", "F"):
                    found.append(before)
        return sorted(found)

    def destroys(self, node):
        """Whether it does nothing but to destroy one object."""
        return self.calls_destructor(node) and len(self.nodes[node]["elements"]) == 1

    def calls_destructor(self, node):
        return "::~" in self.nodes[node].get("call", {}).get("callee", "")

    def join_of(self, node):
        """Where it goes on if the node decides which temporaries of an expression are there to be
        destroyed (`a && f(T())`): that is a branch of the graph with T and F, but its condition is
        not the expression before it. None for all other nodes."""
        if node not in self.joins:
            self.joins[node] = None  # while we look: an answer for loops
            self.joins[node] = self.find_join(node)
        return self.joins[node]

    def find_join(self, node):
        ways = {self.edges[n]["label"]: self.edges[n]["to"] for n in self.steps_on(node)}
        place = self.place_before(node)
        if set(ways) != {"T", "F"} or not place or \
                not any(self.destroys_part_of(place, way) for way in ways.values()):
            return None
        if self.all_between(node, ways["F"]):
            return ways["F"]
        ends = {self.behind_destruction(way) for way in ways.values()}
        return ends.pop() if len(ends) == 1 else NOWHERE

    def destroys_part_of(self, place, node):
        """Whether a node first destroys, or decides whether to, what stands inside of a place."""
        if self.destroys(node):
            inner = self.last_place(node)
            return bool(inner) and inner[0] == place[0] and place[1:3] <= inner[1:3] <= place[3:]
        ways = [self.edges[n]["to"] for n in self.steps_on(node)]
        return not self.last_place(node) and len(ways) == 2 and \
            any(self.destroys(way) and self.destroys_part_of(place, way) for way in ways)

    def behind_destruction(self, node):
        while self.destroys(node) and len(self.steps_on(node)) == 1:
            node = self.edges[self.steps_on(node)[0]]["to"]
        return node

    def all_between(self, node, join):
        """The node, and all up to the join if they only destroy or decide whether to; else nothing."""
        found, todo = {node}, [self.edges[n]["to"] for n in self.steps_on(node)]
        while todo:
            other = todo.pop()
            if other == join or other in found:
                continue
            decides = not self.last_place(other) and len(self.steps_on(other)) == 2
            if not (self.destroys(other) or decides):
                return set()
            found.add(other)
            todo += [self.edges[n]["to"] for n in self.steps_on(other)]
        return found

    def steps_on(self, node):
        return [n for n in self.out[node] if self.edges[n]["kind"] != "exception"]

    def edge(self, step):
        """(number of the edge, None) or (None, reason)"""
        _, file, line, column, what, end_line, end_column, is_logical, outer = step
        if what == "entry":
            return self.only([n for n in self.out[0]], "entry")
        if what == "catch":
            node = self.handlers.get((line, column))
            ways = [n for n in self.out[node] if self.edges[n]["label"] == "caught"] if node else []
            return self.only(ways, "handler")
        nodes = self.branches.get((file, line, column, end_line, end_column)) or \
            self.branches.get((file, *outer), [])
        if not nodes and is_logical:
            return None, "part of && or || that the graph does not branch on"
        if len(nodes) != 1:
            return None, f"{'several branches' if nodes else 'no branch'} there: {what.split()[0]}"
        return self.way(nodes[0], what)

    def way(self, node, what):
        labels = {n: self.edges[n]["label"] for n in self.out[node]}
        if not what.startswith("choice"):
            return self.only([n for n, label in labels.items() if label == what], what)
        value = int(what.split()[1])
        ways = [n for n, label in labels.items() if fits(label, value)]
        return self.only(ways or [n for n in labels if labels[n] == "default"], "choice")

    def only(self, ways, what):
        return (ways[0], None) if len(ways) == 1 else (None, f"{len(ways)} edges for one {what}")


class Graph:
    """Finds the function that a symbol means in one program."""

    def __init__(self, graph, aliases):
        self.functions = {function["id"]: function for function in graph["functions"]}
        self.by_symbol = defaultdict(list)
        for function in graph["functions"]:
            for symbol in function.get("symbols", []):
                self.by_symbol[symbol].append(function["id"])
        units = {unit["id"]: unit["functions"] for unit in graph["units"]}
        self.programs, self.left_out = {}, {}
        for program in graph["programs"]:
            members = [units[entry["unit"]] for entry in program["units"]]
            self.programs[program["name"]] = {id for unit in members for id in unit}
            self.left_out[program["name"]] = {id for variant in program["variants"]
                                              for id in variant["functions"]
                                              if id != variant["chosen"]}
        self.aliases, self.flows, self.known = aliases, {}, {}

    def function(self, program, step):
        """(id, None) or (None, reason)"""
        symbol, file, place = step[0], step[1], [step[2], step[3]]
        found = {id for name in self.aliases.get(symbol, [symbol]) for id in self.by_symbol[name]}
        if not found:
            return None, "no function with the symbol: " + \
                ("an initialiser" if symbol.startswith(("__cxx_global", "_GLOBAL")) else "others")
        found = {id for id in found if self.functions[id].get("file") == file and
                 self.functions[id]["begin"] <= place <= self.functions[id]["end"]}
        if program in self.programs:
            found = (found & self.programs[program]) - self.left_out[program]
        if len(found) != 1:
            return None, "several functions with the symbol" if found else \
                "the function with the symbol is elsewhere"
        return found.pop(), None

    def edge(self, program, step):
        """(function id, edge, None) or (None, None, reason)"""
        key = (program, *step[:8])  # the rest follows from these
        if key not in self.known:
            id, reason = self.function(program, step)
            number = None
            if id is not None:
                if id not in self.flows:
                    self.flows[id] = Flow(self.functions[id])
                number, reason = self.flows[id].edge(step)
            self.known[key] = (id, number, reason)
        return self.known[key]


def crossed_edges(trace, graph):
    """({test: {name of a function: [numbers of its edges]}}, report)"""
    graph = Graph(graph, trace["aliases"])
    result, used = {}, {}
    for test, numbers in trace["tests"].items():
        program, edges = test.partition("::")[0], defaultdict(set)
        for number in numbers:
            id, edge, reason = graph.edge(program, trace["steps"][number])
            used.setdefault(number, set()).add(reason)
            if reason is None:
                edges[graph.functions[id]["name"]].add(edge)
        result[test] = {name: sorted(found) for name, found in sorted(edges.items())}
    reasons, examples = Counter(), defaultdict(list)
    for number, why in used.items():
        reason = None if None in why else sorted(why)[0]
        reasons[reason] += 1
        examples[reason].append(trace["steps"][number])
    proven = {(name, edge) for edges in result.values() for name, found in edges.items()
              for edge in found}
    return result, {"steps": len(used), "mapped": reasons.pop(None, 0), "reasons": reasons,
                    "examples": {reason: found[:5] for reason, found in examples.items() if reason},
                    "edges": len(proven)}


def print_report(report, examples=False):
    steps, mapped = report["steps"], report["mapped"]
    part = sum(n for why, n in report["reasons"].items() if why.startswith("part of"))
    print(f"{mapped} of {steps} steps are edges of the graph ({mapped / max(steps, 1):.1%}, "
          f"{mapped / max(steps - part, 1):.1%} but for parts of && and ||); "
          f"{report['edges']} edges proven crossed")
    for reason, count in report["reasons"].most_common():
        print(f"  {count} {reason}")
        for step in report["examples"][reason] if examples else []:
            print("      " + " ".join(map(str, step)))


def main():
    trace, graph = (json.loads(Path(path).read_text()) for path in sys.argv[1:3])
    edges, report = crossed_edges(trace, graph)
    print_report(report, examples=True)
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(json.dumps(edges, separators=(",", ":")))


if __name__ == "__main__":
    main()
