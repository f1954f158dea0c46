"""Which dangerous edges an execution crossed, by its trace alone (see trace.h).

A node of the flow graph is known by the marked lines on which its elements stand. The edge from one
node to another was crossed if the trace has the step from the last line of the one to the first
line of the other. Nodes without a marked line (joins, destructors, try) are looked through. On one
and the same line no step is seen: then the edge counts as crossed if the line ran.
"""

import re


def marked_lines(files):
    """All (file, line) that the trace can name."""
    return {(name, number) for name, text in files.items()
            for number, line in enumerate(text.split("\n"), 1) if re.search(r"\b(FUNC|MARKX?)\b", line)}


def read_trace(text):
    """The steps, each from a place to a place: (file, line), or ("exit", 0), ("raise", 0)."""
    def place(word):
        file, line = word.rsplit(":", 1)
        return file, int(line)
    return {tuple(place(word) for word in line.split()) for line in text.splitlines()}


class Graph:
    """The baseline as `retest graph --all --format json` tells it."""

    def __init__(self, document, marked):
        self.functions = {f["id"]: f for f in document["functions"]}
        self.marked = marked
        self.units = {u["name"]: set(u["functions"]) for u in document["units"]}
        self.callers = {}  # function -> [(calling function, node)]
        for program in document["programs"]:
            for call in program["calls"]:
                self.callers.setdefault(call["to"], []).append((call["from"], call["node"]))
            by_name = {}
            for f in document["functions"]:
                by_name.setdefault(f["name"], []).append(f["id"])
            for call in program["virtual_calls"]:
                for edge in program["dispatch"][call["dispatch"]]["edges"]:
                    for target in by_name.get(edge["method"], []):
                        self.callers.setdefault(target, []).append((call["from"], call["node"]))

    def find(self, name, unit):
        found = [self.functions[i] for i in self.units[unit] if self.functions[i]["name"] == name]
        assert len(found) == 1, (name, unit, len(found))
        return found[0]

    def lines(self, function, node):
        """The marked lines of a node, in order of its elements."""
        def own(line):
            place = (function.get("file"), line)
            inside = function["begin"][0] <= line <= function["end"][0]
            return [place] if inside and place in self.marked else []
        if "begin" not in function:
            return []
        kind = function["nodes"][node]["kind"]
        if kind == "entry":
            return own(function["begin"][0])
        if kind == "exit":
            return [("exit", 0)]
        if kind == "exceptional exit":
            return [("raise", 0)]
        found = []
        for element in function["nodes"][node].get("elements", []):
            if "begin" in element and element.get("file", function["file"]) == function["file"]:
                found += own(element["begin"][0])
        return found

    def is_marked(self, function):
        return any(place[1] for node in range(len(function["nodes"]))
                   for place in self.lines(function, node))

    def around(self, function, node, backwards):
        """The last marked line before the end of a node, or the first from its beginning on."""
        found, seen, pending = set(), set(), [node]
        while pending:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            lines = self.lines(function, at)
            if lines:
                found.add(lines[-1 if backwards else 0])
                continue
            for edge in function["edges"]:
                if edge["to" if backwards else "from"] == at:
                    pending.append(edge["from" if backwards else "to"])
        return found


class Run:
    """One execution of the baseline."""

    def __init__(self, graph, steps):
        self.graph, self.steps = graph, steps
        self.ran = {place for step in steps for place in step}
        self.was_guessed = False

    def reached(self, function, node, seen=None):
        """Whether a node ran, as far as lines tell."""
        if not self.graph.is_marked(function):
            return self.called(function, seen or set())
        lines = self.graph.lines(function, node)
        lines = lines or self.graph.around(function, node, backwards=True)
        return any(line in self.ran for line in lines)

    def called(self, function, seen):
        """Whether a function without marks ran: through its callers."""
        if function["kind"] == "initialiser":
            return True
        callers = self.graph.callers.get(function["id"], [])
        if not callers:
            self.was_guessed = True
            return True
        if function["id"] in seen:
            return False
        seen.add(function["id"])
        return any(self.reached(self.graph.functions[caller], node, seen)
                   for caller, node in callers)

    def crossed(self, edge):
        """Whether a dangerous edge of `retest diff --format json` was crossed."""
        function = self.graph.find(edge["function"], edge["unit"])
        if not self.graph.is_marked(function):
            return self.called(function, set())
        if edge["place"] == "entry":
            return self.reached(function, 0)
        if edge["place"] != "flow":
            return self.reached(function, edge["from"]["node"])
        inside = function["edges"][edge["edge"]]
        before = self.graph.around(function, inside["from"], backwards=True)
        after = self.graph.around(function, inside["to"], backwards=False)
        if not after:  # std::terminate: nothing is written any more
            return any(place in self.ran for place in before)
        return any((p, q) in self.steps or (p == q and p in self.ran)
                   for p in before for q in after)

    def crosses_any(self, delta):
        """Whether the delta says that this execution may behave differently."""
        if delta["programs"]:
            return True
        if delta["class_entries"]:
            self.was_guessed = True
            return True
        return any(self.crossed(edge) for edge in delta["edges"])
