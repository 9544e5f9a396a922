"""Every limit of the system, named in one place, with its unit.

A limit is a promise about memory and time: whatever arrives from outside is bounded by one of these.
"""

# -- messages -----------------------------------------------------------------------------------------------------
MAX_CENTS = 10**12
"""Largest amount of money in one message, in cents (ten billion euros)."""

MAX_ID_CHARS = 96
"""Longest command, actor, table or account id, in characters."""

MAX_PLAYER_ID_CHARS = 80
"""Longest id of a player at a table: account names put a prefix before it."""

MAX_ENVELOPE_ID_CHARS = 128
"""Longest id on an inbox: one of `MAX_ID_CHARS` and what our services put before it (`answer:`), in characters."""

MAX_REASON_CHARS = 200
"""Longest free text (the reason of a void), in characters."""

MAX_COMMAND_BYTES = 16_384
"""Largest command on an inbox or request body at the door, in bytes."""

MAX_EVENTS_PER_DECISION = 512
"""Most events one command may lead to; more is a defect."""


# -- inboxes and what is sent to them -----------------------------------------------------------------------------
INBOX_ENTRIES = 200_000
"""Commands waiting in one inbox above which the door refuses new ones."""

BATCH_COMMANDS = 500
"""Most commands read from an inbox at once."""

APPEND_COMMANDS = 100
"""Most commands decided and appended in one script call."""

SEND_COMMANDS = 500
"""Most commands put on inboxes in one go."""

SEND_AGAIN_AFTER_MS = 2_000
"""After how long a debt that is still there is sent again to another shard, in milliseconds."""

SEND_AGAIN_BELOW = 500
"""Commands waiting in an inbox from which on no debt is sent to it again: one batch of its owner.

So an inbox without an owner takes, besides one copy of each debt, repeats up to this number and those of one more look
by each sender: of one debt alone 499 copies in some 17 minutes, of 64 debts of one sender 8 each. A take-over of the
sender, or a send that failed, adds one copy each. As soon as fewer wait, debts are sent again.
"""

ANSWERS_REMEMBERED = 20_000
"""Answers of a shard kept at hand; an older id is refused by the moment that it carries, and looked up in the log."""

COMMAND_AHEAD_MS = 10_000
"""How far the moment in a command id may be ahead of the command's arrival on the inbox, in milliseconds."""

COMMAND_LATE_MS = 86_400_000
"""How long after the moment in its id a command may arrive on the inbox, in milliseconds."""

PARK_AFTER_ATTEMPTS = 3
"""Attempts, counted across restarts, after which a command that crashes its shard is parked."""

PARKED_ENTRIES = 10_000
"""Parked commands kept per shard."""


# -- the log and its server ---------------------------------------------------------------------------------------
FEED_ENTRIES = 100_000
"""Entries kept on the feed of a shard; readers behind it fall back to the logs."""

BATCH_STREAMS = 1_000
"""Most streams one script call appends to (Lua can hand over some thousands of values in one go, not more)."""

LOAD_PAGE_EVENTS = 500
"""Events read from a log in one page."""

LOG_CALL_MS = 5_000
"""Longest wait for the answer of one call to the event log, in milliseconds; then the outcome is unknown."""

REPLICA_WAIT_MS = 1_000
"""Longest wait for a replica to say that it has what was written, in milliseconds; then the outcome is unknown."""

SENTINEL_CALL_MS = 500
"""Longest wait for the answer of one sentinel, in milliseconds; then the next one is asked."""

PRIMARY_ASKED_EVERY_MS = 1_000
"""How often a sentinel is asked who the primary is, in milliseconds."""

LOG_CONNECTIONS = 16
"""Connections that one process opens for calls to the event log; further calls queue."""

LOG_FOLLOWERS = 256
"""Connections that one process opens for feeds it waits on and logs it loads."""

MAX_LEASE_MS = 120_000
"""Longest lease of a shard, and longest a member of a service counts as alive without a word, in milliseconds.

What seems to last longer was noted before the server's clock was set back, and has ended.
"""

AUDIT_FAULTS = 100
"""Faults that one audit names; behind a broken log there may be any number."""

MAX_LOCAL_LOG_BYTES = 20_000_000
"""Size of a process's log file of the local casino above which it is put aside at the next start, in bytes."""


# -- tables -------------------------------------------------------------------------------------------------------
MAX_SEATS = 64
"""Most seats (stations) at one table."""

MAX_WAGERS_PER_SEAT = 64
"""Most distinct spots one seat may have a wager on in one coup."""

MAX_COUP_GAIN_CENTS = 10**10
"""Most that all seats together could gain in one coup under the terms of a session, in cents."""

HISTORY_COUPS = 12
"""Past outcomes kept in the state of a table and shown on its board."""

LAST_COUPS = 3
"""*Les trois derniers coups*: valid coups played after the announcement."""

EMPTY_COUPS_TO_CLOSE = 3
"""Coups in a row without a stake after which a session may close without announcement (art. 31)."""

CREDITS_CARRIED = 128
"""Buy-ins at a table from the oldest on that waits, in each part of the wallet: so many answers the table remembers."""

CREDITS_REMEMBERED = 4_096
"""Answers to buy-ins of older releases, which did not count them, that a table session remembers."""

OWED_POSTINGS_SENT = 64
"""Postings that a table sends to the ledger at once, oldest first."""


# -- outcomes from people and devices -----------------------------------------------------------------------------
SPIN_REPORT_MS = 120_000
"""How long a wheel may turn before its sensor must have reported, in milliseconds; then manual mode."""

DEVICE_REPORT_MS = 120_000
"""How long a device may take to report an outcome, in milliseconds; then people enter it."""

MANUAL_ENTRY_MS = 600_000
"""How long people may take to enter a result at the console or in manual mode, in milliseconds; then void."""

MAX_FACES = 64
"""Most dice, cards or segments recorded at once."""

MAX_FACE_CHARS = 16
"""Longest word for one of them, in characters."""


# -- draws, seeds and their proofs --------------------------------------------------------------------------------
DRAW_ENTROPY_BYTES = 32
"""Least number of fresh random bytes behind a draw; 256 bits exceed the 238 of an order of 54 cards."""

GENERATOR_REQUEST_BYTES = 1_024
"""Bytes that one request to the generator gives: 32 draws' worth. The standard allows 65,536."""

GENERATOR_RESEED_REQUESTS = 1_024
"""Requests to the generator between two reseeds, 32,768 draws. The standard allows 2^48."""

GENERATOR_RESEED_MS = 600_000
"""Longest time between two reseeds while draws are made, in milliseconds."""

GENERATOR_RETRY_MS = 10_000
"""After a failed health test, how long until the start-up tests are tried again, in milliseconds."""

DRAWS_PER_COUP = 256
"""Most draws of one coup (throws of dice until a coup is decided)."""

DRAW_COUPS_REMEMBERED = 256
"""Coups of a table whose draws are answered again from memory; older ones are in the log alone."""

DRAW_TABLES = 4_096
"""Most tables whose draws one RNG shard remembers."""

SEEDS_UNREVEALED = 4
"""Seeds of a table that the RNG has committed itself to and not revealed; with more, no coup is opened."""

SEAL_KEYS = 64
"""Most keys in the file that opens the RNG's seeds."""

PROOF_COUPS = 10_000
"""Coups of one session whose draws a display can show."""

PROOF_SESSIONS = 64
"""Sessions whose coups a display keeps at hand; the one not looked at for longest is read again."""

PROOF_READERS = 32
"""Requests that may wait at one display for the coups of a session."""

PROOFS_LISTED = 24
"""Latest coups of a table that a display lists."""


# -- the ledger: money that moves ---------------------------------------------------------------------------------
PENDING_BUY_INS = 1_024
"""Buy-ins of one ledger that wait for a table at once; more are refused."""

PENDING_BUY_INS_PER_TABLE = 64
"""Buy-ins that wait for one table at once, so that a table that is away does not use up the room of all."""

SESSIONS_REMEMBERED = 8
"""Closed sessions of a table whose last posting number the ledger remembers."""

OPEN_REQUESTS = 256
"""Requests of one ledger that wait for another person or a table at once; more are refused."""

ADJUSTMENT_LEGS = 16
"""Most legs of one adjustment."""

ADJUSTMENT_EXPIRES_MS = 86_400_000
"""How long an adjustment waits for the other person, in milliseconds."""

FLOAT_MOVE_EXPIRES_MS = 3_600_000
"""How long a fill or a float credit waits for the other person, in milliseconds."""

MAX_WALLETS = 64
"""Most parts of a site's wallet."""

TRANSFERS_IN_TRANSIT = 256
"""Transfers from one part of the wallet to another that are not known to be received; then postings wait."""


# -- the ledger: gaming days and ids that carry a date ------------------------------------------------------------
GAMING_DAYS_AHEAD = 1
"""Days by which a gaming day may be ahead of the ledger's date (UTC) when it is opened."""

BRING_FORWARD_ENTRIES = 256
"""Accounts and transfers in one piece that a ledger brings forward; one small dict of them is never divided."""

BRING_FORWARD_PIECES = 16
"""Pieces that a ledger brings forward in one decision."""

TRANSFER_DAYS_REMEMBERED = 2
"""Days before a gaming day's opening whose transfer ids the ledger still answers from memory; older are in the log."""

TRANSFER_DAYS_AHEAD = 1
"""Days by which the date in a transfer id may be ahead of the ledger's (UTC): it is already tomorrow in the east."""

REFUSALS_PER_DATE = 4_096
"""Refused wishes of one speaker that the ledger remembers under ids of one date; then it refuses all others of it."""

REFUSED_DAYS_AHEAD = 3
"""Days by which the date in an id may be ahead, so that the ledger refuses and remembers it; not later."""


# -- the ledger: limits and exclusions of players -----------------------------------------------------------------
COOLING_DAY_LIMIT = 1
"""Whole gaming days between the wish for a looser limit of a day, or none, and the day from which it counts."""

COOLING_WEEK_LIMIT = 7
"""The same for a limit of a week."""

PLAYER_CHANGES_REMEMBERED = 32
"""Latest changes of a player's limits and exclusions that the ledger has at hand; older ones are in the log."""

VISITS_REMEMBERED_DAYS = 8
"""Gaming days after a buy-in during which the ledger takes it that the player may still sit at that table."""

ALLOWANCES_SENT = 64
"""Words about allowances that a ledger sends to the tables of one pit at once."""


# -- the register of persons --------------------------------------------------------------------------------------
MAX_PERSONS = 200_000
"""Persons that one register keeps at a time; forgotten ones do not count."""

MAX_NAME_CHARS = 120
"""Longest name of a person, in characters."""

MAX_DOCUMENT_CHARS = 48
"""Longest number of an identity document, in characters."""

SEALED_PERSON_BYTES = 2_048
"""Largest sealed data of one person, in bytes."""

SEALED_PERSON_STEP_BYTES = 256
"""Personal data are filled up to a multiple of this before sealing, so that the length tells nothing, in bytes."""

PERSON_LOOK_MS = 60_000
"""How long after it was logged a look at a person shows something, in milliseconds; then it must be logged anew."""

PERSON_KEY_LINES = 32
"""Most keys in one file of keys for the register."""

PERSON_KEY_CONNECTIONS = 4
"""Connections that one process opens to the keys of persons; further calls queue."""


# -- the door -----------------------------------------------------------------------------------------------------
MAX_TOKEN_CHARS = 4_096
"""Longest token that the door reads, in characters."""

DOOR_RATE_PER_SECOND = 50
"""Commands that one subject may send through the door in the long run, per second."""

DOOR_BURST = 100
"""Commands that one subject may send at once after a pause."""

DOOR_SUBJECTS = 10_000
"""Subjects whose rate the door remembers; the longest silent one is forgotten first."""

DOOR_WAITING = 5_000
"""Requests that may wait for an answer at one door at the same time."""

OLD_LOG_READERS = 32
"""Speakers who may wait at one door for what old ids have led to, each for one of them; the logs are read in turn."""

DOOR_ANSWER_MS = 5_000
"""How long a request waits for its answer, in milliseconds."""


# -- displays -----------------------------------------------------------------------------------------------------
DISPLAY_CLIENTS = 5_000
"""Pages that one display serves at the same time."""

DISPLAY_QUEUE_FRAMES = 16
"""Frames that may wait for one slow page; then they are replaced by the latest snapshot."""
