"""The rows of the printed tables."""

import statistics
from dataclasses import dataclass

HEADINGS = ("what", "pushhost", "compared with", "ratio", "instructions", "goal", "met")


@dataclass
class Row:
    """The ratio of `ours` to `theirs`, in one unit, sample by sample."""

    name: str
    ours: list
    other: str
    theirs: list
    unit: str
    goal: str = ""
    note: str = ""
    instructions: str = ""

    def cells(self):
        ratios = [a / b for a, b in zip(self.ours, self.theirs)]
        ratio = statistics.median(ratios)
        return [
            f"{self.name} ({self.note})" if self.note else self.name,
            f"{spread(self.ours)} {self.unit}",
            f"{self.other}: {spread(self.theirs)} {self.unit}",
            f"**{ratio:.2f}** ({min(ratios):.2f}–{max(ratios):.2f})",
            self.instructions,
            self.goal,
            met(ratio, self.goal),
        ]


@dataclass
class Amount:
    """One figure of the host alone."""

    name: str
    value: float
    unit: str
    goal: str
    note: str = ""
    instructions: str = ""

    def cells(self):
        name = f"{self.name} ({self.note})" if self.note else self.name
        value, goal = f"**{number(self.value)}** {self.unit}", f"{self.goal} {self.unit}" if self.goal else ""
        return [name, value, "", "", self.instructions, goal, met(self.value, self.goal)]


@dataclass
class Growth:
    """What one operation costs at each of several sizes, beside its ratio to the first."""

    subject: str
    sizes: list
    name: str
    unit: str
    costs: list

    def cells(self):
        medians = [statistics.median(costs) for costs in self.costs]
        others = (f"**{cost / medians[0]:.2f}** ({number(cost)})" for cost in medians[1:])
        return [self.name, f"{number(medians[0])} {self.unit}", *others]


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def spread(samples):
    return f"{number(statistics.median(samples))} ({number(min(samples))}–{number(max(samples))})"


def met(value, goal):
    if not goal:
        return ""
    bound = float(goal[1:].replace(",", ""))
    return "yes" if (value >= bound if goal[0] == "≥" else value <= bound) else "no"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def table(headings, rows):
    return "\n".join([line(headings), "|---" * len(headings) + "|", *(line(row) for row in rows)])


def printed(rows):
    """The table of the rows that compare, then one for each subject of a growth."""
    compared = [row.cells() for row in rows if not isinstance(row, Growth)]
    tables = [table(HEADINGS, compared)] if compared else []
    grown = [row for row in rows if isinstance(row, Growth)]
    for subject in dict.fromkeys(row.subject for row in grown):
        about = [row for row in grown if row.subject == subject]
        tables.append(table([subject, *about[0].sizes], [row.cells() for row in about]))
    return "\n\n".join(tables)


@dataclass
class Failed:
    """A row that could not be measured."""

    name: str
    reason: str

    def cells(self):
        return [self.name, self.reason.replace("|", "/").replace("\n", " ")[:200], "", "", "", "", "failed"]
