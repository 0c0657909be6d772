"""Every number that tunes the diagnosis, each with what it decides and what moving it changes.

A share is of 1, a digit is a power of ten, and a cost or a penalty is in the unit of all costs:
of two repairs the one with the lower sum is the likelier one. What is said here of moving a number
follows from the code that uses it; how much the findings change by it has not been measured.
"""

from __future__ import annotations

from decimal import Decimal

# When rows follow a law.

FEWEST_ROWS = 3
"""So many rows must follow what was found by trying. With fewer, chance makes laws; with more,
small tables are never checked."""
SURE_SHARE = 0.7
"""This share of the rows must follow what was found by trying. Lower, and wrong laws blame right
rows; higher, and a table with several mistakes hides them all."""
SURE_IF_PRECISE = 4.0
"""So many digits are needed of numbers that were chosen by trying, where nobody is blamed. Lower
lets chance confirm numbers, higher leaves tables of one row unchecked."""
FEWEST_STATED_ROWS = 2
"""So many rows must follow a formula that the report itself writes. One row alone would make any
formula fit some column; more would ignore the formulas of short tables."""
FEWEST_EXAMPLE_NUMBERS = 3
"""So many numbers of a run must be in a calculation that was worked for it. Fewer are there by
chance."""
MOST_LONE_FAILURES = 2
"""One row that holds may stand for so many that nearly do. Higher believes a relation that
hardly any row follows."""
NEAR_MISS = 1.1
"""Rows nearly hold if they are off by no more than this factor. Higher takes other quantities
for slips, lower gives up on small tables with a mistake."""
WIDEST_INTERVAL = 1.25
"""A row whose numbers leave a constant open by more than this factor has no say in it: coarser
ones agree with nearly anything."""
MOST_DEVICES_PER_NODE = 64
"""No node has more devices. Higher lets more whole numbers explain a wrong one."""
MOST_WHOLE_CANDIDATES = 8
"""So many whole numbers, from the least on, are counted for a row that leaves them open. Lower
gives coarse rows less of a say."""
NOISE = 1e-9
"""What floating point may add: by this much two numbers are still equal. Not a tolerance, that
is the printed precision."""

ESTIMATE_SHARE = Decimal("0.2")
"""By this share of its value an estimate such as `~30` may be off, and at least by one unit of its
last digit. People round estimates as they like, and an estimate verifies nothing: it should only
contradict what is clearly something else. Lower blames rows for a rough word."""

# When rows come near to a model, which is no identity.

MODEL_WRONG = 2.0
"""A row contradicts a model from this factor on beyond the slack of the model. Lower blames
networks that differ from the textbook."""
FITS_MODEL = 0.1
"""A setting fits the work of a step if that is so near to what the network needs. Lower misses
networks with another vocabulary, higher takes one setting for another."""
OFF_MODEL = 1.3
"""A setting contradicts the work of a step from this factor on. Lower blames other ways to count,
higher misses that activations are recomputed, a factor of 4/3."""
SAME_WORK = 0.03
"""Steps of one network do the same work if they differ by no more."""
MOST_OFF_MODEL = 0.25
"""A model is dropped where more than this share of the rows are not near to it. Higher believes
a model of another kind of network."""

# How many ways are tried. Higher costs time, and chance finds more; lower misses wide tables.

MOST_BINDINGS = 24
"""Ways to choose the columns of a relation where several hold the same quantity."""
BINDING_SAMPLE = 6
"""Rows that are looked at for which quantities several columns hold."""
MOST_FORMULA_COLUMNS = 12
"""Columns that a formula without a left side is tried with."""
SEARCH_FACTOR = 1e6
"""An equation is solved for a number within this factor of the printed one."""
SEARCH_STEPS = 60
"""Halvings until it is solved; sixty reach the precision of floating point."""

# Columns that are a factor off.

COLUMN_FACTORS = (1000.0, 1e6, 60.0, 3600.0, 1024.0, 100.0)
"""What a whole column may be off by: units that are taken for each other. More factors explain
more columns by chance."""
FORMULA_SCALES = (1e3, 1e6)
"""What a column may be off by from a formula of the report that is still about it."""
FEWEST_SCALED_ROWS = 2
"""So many different rows must miss a known relation by the same factor. One would take a slip
in a single row for the whole column."""
NEARLY_ALL = 0.9
"""This share of the rows must agree on the factor. Lower blames a column for what is wrong in
some of its rows."""
EXACT_FACTOR = 0.01
"""By this share a factor may be missed that rows agree on exactly. Higher confuses 1000 and
1024."""
NEAR_FACTOR = 0.05
"""The same where numbers were rounded before they were multiplied, or are of another table."""
WIDEST_FACTOR = 2.0
"""Rows that leave the factor open by more than this say nothing about it."""
CLEARLY_ODDER = 0.3
"""By so many powers of ten one column must be the odder one before it is blamed. Lower blames
the wrong one of two, higher blames none."""
TOO_LARGE_BONUS = 0.4
"""What makes a column odder whose numbers are too large: those of a small unit under a header
that says a large one are the usual mistake."""

# How likely each mistake is beside the others: what leaves nothing free to choose comes first.

UNIT_COST = 0.7
"""A cell with another unit than its column. Raised above a slip of digits, the number is changed
instead of the unit."""
SIGN_COST = 0.8
"""A minus too many or too few."""
TRANSPOSED_COST = 0.8
"""Two digits in each other's place."""
POINT_COST = 1.0
"""A decimal point a few places off."""
DOUBLED_COST = 1.0
"""A digit typed twice."""
DROPPED_COST = 1.2
"""A digit left out: dearer, as there are many ways to put one in."""
FACTOR_COST = 1.4
"""A number in another unit, or of a part of the job. Lower prefers it to a slip that explains
the same digits."""
VALUE_COST = 2.0
"""Any other number: it always fits, so it must be the last resort."""
SWAP_COST = 1.0
"""Two cells in each other's place."""
SHIFT_COST = 1.0
"""Cells one column off."""
RAGGED_COST = 0.5
"""The same in a row with a cell too many or too few, which has been shifted more likely than
not."""
COST_PER_CELL = 0.01
"""For each cell that a shift moves, so that of two shifts the shorter one wins."""
OTHER_ROW_COST = 1.3
"""Results that were typed into the wrong row. Lower moves results that have a slip."""
SLIP_VARIANTS = {"a digit dropped": 15.0}
"""How many numbers a slip makes possible. Times the share of numbers that would fit, it is added
to the cost: the more there are, the likelier one fits by chance."""
USUAL_VARIANTS = 3.0
"""The same for the slips that make only a few numbers possible."""
LONGEST_NUMBER = 12
"""Numbers with more characters are not searched for slips: there would be too many that fit."""
UNIT_FACTORS = (1000.0, 0.001)
"""What a number is off by that is in the next smaller or larger unit."""
POINT_MOVES = (-3, -2, -1, 1, 2, 3)
"""The places that a decimal point may be off by."""
CELL_FACTORS = (1000.0, 1024.0, 60.0, 3600.0, 8.0, 100.0, 4 / 3)
"""What a single number may be off by. More factors explain more numbers by chance."""

# What speaks against a repair.

SETTING_PENALTY = 0.5
"""Changing a setting, unless only settings contradict each other. Higher blames results for
settings that are wrong."""
NOT_RESULT_PENALTY = 0.3
"""Changing a number that no failing relation computes. Higher blames derived numbers for their
wrong inputs."""
MISTYPED_GAIN = 0.3
"""What it is worth that one other digit in an input gives the result: it is then as likely as the
result. Higher blames the input alone."""
DIGITS_IF_MISTYPED = 3
"""So many digits the result must have for that. With fewer, some digit always fits."""
REPEAT_PENALTY = 2.5
"""A row that would have the settings of another row of its table. Lower makes duplicates of
runs."""
BROKEN_PENALTY = 2.0
"""Each law of the table that holds now and would not any more. Lower blames what the table
confirms."""
UNORDERED_PENALTY = 2.5
"""A column in order that would not be in order any more. Lower blames the column that the rows are
sorted by."""
FEWEST_ORDERED = 4
"""So many different numbers show that a column is in order. Fewer often are by chance."""
NOVEL = 0.3
"""A setting that its column has nowhere else. Higher distrusts every new configuration."""
MOST_NOVEL = 1.5
"""The most that a number outside the range of its column costs."""
RANGE_WIDTH = 0.3
"""By so many powers of ten, and half of what the column spans, a number outside its range costs
1. Lower keeps repairs within the range of the others."""
IMPOSSIBLE = 2.0
"""A number that its quantity cannot have."""
FEWEST_OTHERS = 2
"""So many other numbers a column must have before one can look odd in it."""
CLOSE_COST = 0.1
"""Repairs whose costs differ by less are equal: all are shown and none is applied. Lower applies
guesses, higher applies nothing."""
CLOSE_RESULT = 1.0
"""The same for a count that nobody chooses, as it follows from the others: it is shown although
another one looks odder. Lower hides what is wrong most often, higher shows what hardly is."""
CONFIRMED_PENALTY = 1.0
"""Changing a setting that another table states for the same thing. Lower blames what stands in
two places."""
CLEARLY_LESS_ODD = 0.7
"""By so much less odd a shifted ragged row must look where no relation tells. Lower shifts rows
that are merely short."""
EQUALLY_ODD = 0.05
"""Shifts of a ragged row that differ by less are equal."""
KIND_SHARE = 0.7
"""A column is of numbers, of words or of one dimension if this share of its cells are. Lower
finds misfits in mixed columns."""
FEWEST_UNITS = 3
"""So many cells with units must fit before a row is said to be several columns off."""

# How much is tried and shown of each row. Higher costs time or space; lower leaves long rows alone.

MOST_REPAIRS = 400
"""Repairs that are tried on a row."""
MOST_CELLS = 40
"""Rows with more cells are not searched for swaps and shifts."""
MOST_RAGGED_CELLS = 60
"""Ragged rows with more cells are not searched for the cell that is too many or lacks."""
MOST_EMPTY_ROWS = 16
"""Rows without results, on either side, that a row's results may belong to: whoever types
results into the wrong row does not go far."""
MOST_SHOWN = 3
"""Equal repairs that are shown."""

# The arithmetic that a table shows by itself, in bits.

DEAD_ZONE = 0.002
"""A number that is off by less than this share is not reported. Lower reports what was computed
from numbers with more digits than are printed."""
UNPRINTED_ZONE = 0.01
"""The same for a law with a constant that nobody printed: it was rounded in between, or measured
and a little different each time. Lower reports such noise."""
ROWS_IF_SHARP = 4
"""So many rows must hold to their last digit for a number that is only near to be wrong."""
CLEARLY_OFF = 0.03
"""By so much every row must differ from a definition for a column to mean something else."""
SHARP_SHARE = 0.8
"""They must be so many of all rows."""
FEWEST_CUT = 2
"""So many results must show that they were cut for a fix to be cut too. Lower follows one slip."""
TELLING_WIDTHS = 10
"""A law tells a number if it leaves it at most so many times the doubt about its last digit. Higher
offers what follows from rough numbers."""
NOT_CUT = 0.01
"""By this share a number must be off to be wrong where only several cut numbers would explain it
and the others are rounded. Lower reports what was computed from numbers that were cut."""
SHARP_WIDTHS = 20
"""By so many times the doubt about its digits it must be off."""
MOST_PERMUTED = 24
"""So many rows are compared with each other to see how often numbers agree by chance."""
BITS_IF_NAMED = 10.0
"""So much evidence is needed for a law that the headers name. Lower blames rows by chance."""
BITS_IF_UNNAMED = 24.0
"""The same for a law that no header names."""
ROWS_IF_NAMED = 3
"""So many rows must follow a law that the headers name."""
BITS_IF_FEW = 14.0
"""So much evidence is needed for a law that the headers name if only two rows follow it."""
RIVAL_BITS = 3.0
"""Two laws that differ by less are both likely: none of them is used to compute a number again."""
ROWS_IF_STALE = 6
"""So many rows of other tables must follow a law for a table to be wrong that wholly disagrees."""
BITS_IF_STALE = 20.0
"""So much evidence is needed for a law that most rows of a table only come near to."""
STALE_NEAR = 0.05
"""By this share they may be off. Higher takes other quantities for numbers of yesterday."""
MOST_LOOSE = 5.0
"""A law that is so much less exact does not explain a row that another one contradicts. Higher lets
laws of rounded numbers excuse what is wrong."""
BITS_IF_TWICE = 32.0
"""So much evidence is needed for a law that blames a row which follows another law. Lower blames
numbers that were measured separately."""
ROWS_IF_UNNAMED = 4
"""The same for a law that no header names."""
MOST_FAILING = 0.3
"""Where more than this share of the rows fail, the law is not what was meant."""
MOST_SOURCES = 10
"""A line is computed from so many of the nearest ones. More finds little and takes long."""
MOST_ADDED = 12
"""A total is searched for among so many of the lines before it, and among all of them."""
MOST_LAW_ROWS = 200
"""A law is looked for in so many rows of a long table."""
SAMPLED_ROWS = 4
"""So many rows show whether it is worth to look at all."""
GENEROUS = 1.2
"""A quick look allows so many times the room: products of intervals are wider than the sums."""
NICE_CONSTANTS = (1.0, 100.0, 0.01, 1000.0, 0.001, 60.0, 1 / 60, 3600.0, 1 / 3600, 1e6, 1e-6, 1e9)
"""Constants that need no rows to be believed."""
NEARLY_EQUAL = 1.1
"""Two lines of one unit whose ratio is nearer to one are two measurements of the same thing."""
MEASURED_SPREAD = 0.03
"""What is measured in proportion differs by so much from row to row. Rows that agree more exactly
were computed: higher blames exceptions among measurements, lower needs more digits."""
LEAST_WITNESS_BITS = 4.0
"""A number in the text speaks for a constant if it is so unlikely by chance that they are equal.
Lower blames rows by numbers that happen to be in the text."""
MOST_WITNESS_BITS = 8.0
"""And it is worth no more, as many digits of a constant are no more of a witness."""
WRONG_SCALES = (1000.0, 0.001)
"""Ratios that are off by these factors are of numbers in different units."""
NEAR_TOTAL = 0.25
"""By this share a lone total may be off to be a mistake. Higher takes other things for totals."""
COMPLETE_SHARE = 0.6
"""A line is computed from others that have a number in this share of its rows."""
NAMED_BITS = 8.0
"""What it is worth that a header names the law: `Speedup`, `Total`, `Average`."""
NAMED_SOURCE_BITS = 4.0
"""What it is worth that the header names what it is computed from: `vs Rust`."""
BEFORE_AFTER_BITS = 6.0
"""What it is worth that the headers say what is compared: `Before` and `After`."""
TOOL_BITS = 12.0
"""What it is worth that a tool is known to print its tables by that law. Lower needs as many rows
as a table that somebody typed."""
ADJACENT_BITS = 2.0
"""What it is worth that one stands beside the other."""
UNPRINTED_BITS = 8.0
"""What it costs to suppose a baseline that no row has."""
UNLIKELY_BITS = 8.0
"""What it costs that a header says something else."""
MOST_READINGS = 4
"""A line may follow from others in so many ways, such as a speed-up from times and from rates."""
DERIVED_COST = 2.0
"""What it costs to blame a number that its header says is computed."""
COMPUTED_COST = 3.0
"""The same for a number that is computed, as the rows show, though no header says so."""
MEASURED_COST = 6.0
"""The same for a number that others are computed from."""
SETTING_COST = 9.0
"""The same for what was chosen."""
BASELINE_COST = 9.0
"""The same for the baseline of other rows."""
NEUTRAL_COST = 30.0
"""The same for a number that says that its row is the baseline."""
HELD_COST = 6.0
"""What each relation costs that holds now and would not hold any more."""
FORMULA_COST = 8.0
"""What it costs beside to blame a number that a formula of the report gives."""
UNEXPLAINED_COST = 8.0
"""What each relation costs that would still fail."""
USUAL_COST = 5.0
"""What it costs to blame a number that is usual in its column for one that is far from all others.
Lower blames a ratio for a slip of a thousand in what it is computed from."""
USUAL_ROOM = 0.25
"""So far, in logarithms, a number may be from others that are all alike."""
ODD_GAIN = 8.0
"""What it is worth that all other rows are in proportion to another column. Lower blames totals."""
SLIP_GAIN = 3.0
"""What it is worth that one slip of the fingers explains a number."""

HEAVY_TAIL = 1.1
"""If percentiles are by this factor above a mean latency, rates were not computed from it."""
TIME_BETWEEN = 0.1
"""A rate may be so much below the batch by the latency: the time between two batches."""
NEAR_QUOTE = 0.25
"""A sentence misquotes a number, in logarithms, if it comes so near. Higher takes numbers of other
experiments for misquoted ones, lower misses numbers that were measured again."""
FAR_COMPARISON = 0.7
"""A factor in the text is about two numbers, in logarithms, if it comes so near to theirs. Higher
takes other comparisons for wrong ones, lower misses half of the mistakes."""

# How sure a finding is. `python -m benchmarks.calibration` shows what moving these changes.

LAW_DOUBT = 0.2
"""How often a law is not what its author meant if the evidence for it is just enough."""
BITS_TO_HALVE = 6.0
"""So many bits beyond those that are needed halve that doubt."""
KNOWN_BITS = 18.0
"""What it is worth that a relation is known and was not found by trying."""
KNOWN_ROWS = 4
"""A definition, such as that a median is not above a maximum, counts as if so many rows follow
it. Lower doubts mistakes in tables of one row."""
EXCEPTION_WEIGHT = 0.25
"""How much a row that breaks a law speaks for exceptions to it, if one that follows it counts 1.
Higher doubts the findings of tables with several of them."""
RIVAL_DOUBT = 0.1
"""How often another place is wrong if two explanations are equally good. Each bit that one of them
is ahead halves it."""
SURE_LEAD = 8.0
"""By so many bits an explanation without a rival is ahead."""
BITS_IF_EXACT = 3.0
"""What a row of counts is worth that follows a relation: small counts agree easily."""
MOST_ROW_BITS = 8.0
"""What a row is worth at most: of many digits, some may have been computed from the others."""
ALIKE_DOUBT = 0.25
"""How likely rows that fail in the same way are of a kind that nobody names, even if they share
nothing. Higher drops what was copied from the same wrong place."""
ROWS_ALIKE = 3
"""So many rows that fail may follow a law of their own. Lower takes two mistakes for a group."""
