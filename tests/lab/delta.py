"""Reads what `retest diff --format json` writes."""


def edge(row):
    arrow = f"-{row['label']}->" if "label" in row else "->"
    way = f"{row['from']['text']} {arrow} {row['to']['text']}" if "from" in row else "every call"
    return f"{row['function']}: {way}  ({row['reason']['text']})"


def differences(delta):
    """One line for each difference that is more than another place."""
    result = [edge(row) for row in delta["edges"]]
    result += [f"external code -{row['class']}-> {row['method']}  ({row['reason']['text']})"
               for row in delta["class_entries"]]
    result += [f"{row['name']}: every run  ({row['reason']['text']})" for row in delta["programs"]]
    result += [f"{row['kind']}: {row['name']}" for row in delta["functions"]
               if row["kind"] != "moved"]
    result += [f"{kind[:-1] if kind == 'units' else 'binary'} {what}: {name}"
               for kind in ("units", "binaries") for what, names in delta[kind].items()
               for name in names]
    return result + [f"doubt: {row['text']}" for row in delta["doubts"]]
