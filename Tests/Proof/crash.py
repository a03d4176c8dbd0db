"""Reads a log of the recorder, and makes the states in which a power loss could leave the files."""

import errno
import os
import struct

HEADER = struct.Struct("<IIIIqq")
SECTOR = 512
INDEX_BYTES = 32 << 10


class Event:
    """One call of a host; its position in the log is its index in the list."""

    __slots__ = ("kind", "process", "thread", "descriptor", "number", "data")

    def __init__(self, kind, process, thread, descriptor, number, data):
        self.kind, self.process, self.thread = chr(kind), process, thread
        self.descriptor, self.number, self.data = descriptor, number, data

    @property
    def path(self):
        return os.path.normpath(self.data.decode())

    @property
    def paths(self):
        return [os.path.normpath(part.decode()) for part in self.data.split(b"\0")]


def read_log(path):
    """The events of a log, in their order; a last one that a kill cut off is no event."""
    with open(path, "rb") as file:
        bytes_ = file.read()
    events, start = [], 0
    while start + HEADER.size <= len(bytes_):
        size, kind, process, thread, descriptor, number = HEADER.unpack_from(bytes_, start)
        start += HEADER.size
        if start + size > len(bytes_):
            break
        events.append(Event(kind, process, thread, descriptor, number, bytes_[start : start + size]))
        start += size
    return events


class Change:
    """A change of a file that may not be on the disk: a write, or a new size."""

    __slots__ = ("position", "offset", "data", "is_durable", "is_doubtful")

    def __init__(self, position, offset, data):
        self.position, self.offset, self.data = position, offset, data
        # Doubtful: a sync failed, after which the kernel may drop it, and a later sync does not bring it back.
        self.is_durable = self.is_doubtful = False


class File:
    """A file: the bytes that are certainly on the disk, and the changes since the first that is not."""

    def __init__(self):
        self.base, self.changes = bytearray(), []

    def apply(self, contents, change):
        if change.data is None:
            resize(contents, change.offset)
        else:
            write(contents, change.offset, change.data)

    def did_sync(self, begin, failed):
        """Notes the end of a sync that began at a position."""
        for change in self.changes:
            if change.position < begin and not change.is_durable:
                if failed:
                    change.is_doubtful = True
                elif not change.is_doubtful:
                    change.is_durable = True
        count = 0
        while count < len(self.changes) and self.changes[count].is_durable:
            self.apply(self.base, self.changes[count])
            count += 1
        del self.changes[:count]

    def contents(self, choice, random):
        """The bytes after a power loss; the choice says what of the changes is on the disk."""
        contents = bytearray(self.base)
        open_ = [change for change in self.changes if not change.is_durable]
        fates = dict(zip(map(id, open_), choice.fates(open_, random)))
        for change in self.changes:
            choice.apply(self, contents, change, fates.get(id(change), "all"), random)
        return contents


def resize(contents, size):
    if size < len(contents):
        del contents[size:]
    else:
        contents.extend(bytes(size - len(contents)))


def write(contents, offset, data):
    if offset > len(contents):
        resize(contents, offset)
    contents[offset : offset + len(data)] = data


class Choice:
    """What of the changes without a sync a power loss leaves.

    - `nothing`, `all`;
    - `prefix`: those up to one, which is torn at a sector;
    - `subset`: any of them, in their order;
    - `sectors`: any sectors of any of them;
    - `sizes`: the sizes of the files, with zeros in place of new bytes;
    - `garbage`: any sectors, and random bytes in place of others. The file of delivered records gets zeros: a file
      system that shows foreign bytes in a text that is appended to cannot be told from a file that somebody else wrote;
    - `one`: all changes of one file, none of the others.
    """

    NAMES = ["nothing", "all", "prefix", "subset", "sectors", "sizes", "garbage", "one"]

    def __init__(self, name, has_garbage=True):
        self.name, self.has_garbage = name, has_garbage

    def fates(self, changes, random):
        """What happens to each of some changes: `all`, `nothing`, `torn`, `sectors`, `size` or `garbage`."""
        count = len(changes)
        if self.name == "prefix":
            whole = random.randint(0, count)
            return (["all"] * whole + ["torn"] + ["nothing"] * count)[:count]
        if self.name == "subset":
            return [random.choice(["all", "nothing"]) for _ in changes]
        fate = {"sizes": "size", "sectors": "sectors", "garbage": "garbage"}.get(self.name, self.name)
        return [fate] * count

    def apply(self, file, contents, change, fate, random):
        if fate == "nothing":
            return
        if fate == "all" or change.data is None:
            # The new size of a file is on the disk or not, as a whole.
            if fate in ("all", "size", "torn") or random.random() < 0.5:
                file.apply(contents, change)
            return
        data, offset = change.data, change.offset
        if fate == "torn":
            end = max(0, random.randrange(len(data) + SECTOR) // SECTOR * SECTOR - offset % SECTOR)
            if end:
                write(contents, offset, data[:end])
            return
        if fate == "size" or random.random() < 0.5:
            resize(contents, max(len(contents), offset + len(data)))
        if fate == "size":
            return
        start = 0
        while start < len(data):
            end = min(len(data), start + SECTOR - (offset + start) % SECTOR)
            luck = random.random()
            if luck < 0.5:
                write(contents, offset + start, data[start:end])
            elif fate == "garbage" and luck < 0.75:
                write(contents, offset + start, random.randbytes(end - start) if self.has_garbage else bytes(end - start))
            start = end


class NameChange:
    """A change of a folder: a name that gets a file or folder, or loses it."""

    __slots__ = ("position", "folder", "updates", "is_durable", "is_doubtful")

    def __init__(self, position, updates):
        self.position, self.updates = position, updates
        self.folder = os.path.dirname(list(updates)[-1])
        self.is_durable = self.is_doubtful = False

    def apply(self, names):
        for path, entry in self.updates.items():
            if entry is None:
                names.pop(path, None)
            else:
                names[path] = entry


FOLDER = "folder"


class Disk:
    """The files below a folder, as a log of calls changes them."""

    def __init__(self, root):
        self.root = root
        #: What each path leads to for the processes, and certainly after a power loss.
        self.names, self.durable = {root: FOLDER}, {root: FOLDER}
        self.name_changes = []
        self.descriptors, self.syncs = {}, {}

    def note(self, position, event):
        """Carries out the next event of the log."""
        key = (event.process, event.descriptor)
        if event.kind == "O":
            self.descriptors[key] = self.opened(position, event)
        elif event.kind == "C":
            self.descriptors.pop(key, None)
        elif event.kind == "W":
            self.descriptors[key].changes.append(Change(position, event.number, event.data))
        elif event.kind in "TA":
            file = self.descriptors[key]
            if event.kind == "T" or event.number > self.size(file):
                file.changes.append(Change(position, event.number, None))
        elif event.kind == "S":
            self.syncs[(event.process, event.thread, event.descriptor)] = position
        elif event.kind == "E":
            begin = self.syncs.pop((event.process, event.thread, event.descriptor))
            target = self.descriptors.get(key)
            if isinstance(target, File):
                target.did_sync(begin, event.number != 0)
            elif target is not None:
                self.did_sync_folder(target, begin, event.number != 0)
        elif event.kind == "M":
            self.rename(position, {event.path: FOLDER})
        elif event.kind == "U":
            self.rename(position, {event.path: None})
        elif event.kind == "R":
            source, target = event.paths
            self.rename(position, {source: None, target: self.names[source]})
        elif event.kind == "L":
            source, target = event.paths
            if source.startswith("/proc/self/fd/"):
                self.rename(position, {target: self.descriptors[(event.process, int(os.path.basename(source)))]})
            else:
                self.rename(position, {target: self.names[source]})

    def opened(self, position, event):
        """What a descriptor leads to: a file, or the path of a folder."""
        if event.number & os.O_TMPFILE == os.O_TMPFILE:
            return File()
        entry = self.names.get(event.path)
        if entry == FOLDER:
            return event.path
        if entry is None:
            entry = File()
            self.rename(position, {event.path: entry})
        elif event.number & os.O_TRUNC:
            entry.changes.append(Change(position, 0, None))
        return entry

    @staticmethod
    def size(file):
        size = len(file.base)
        for change in file.changes:
            size = change.offset if change.data is None else max(size, change.offset + len(change.data))
        return size

    def rename(self, position, updates):
        change = NameChange(position, updates)
        change.apply(self.names)
        self.name_changes.append(change)

    def did_sync_folder(self, folder, begin, failed):
        changes = [change for change in self.name_changes
                   if change.position < begin and change.folder == folder and not change.is_durable]
        # A failed sync may make the system forget that the folder's block has changed; the next change reminds it.
        is_written = not failed and any(not change.is_doubtful for change in changes)
        for change in changes:
            change.is_doubtful = change.is_doubtful or failed
            change.is_durable = is_written
        # One folder has all names of interest, so the durable changes at the beginning can be carried out.
        count = 0
        while count < len(self.name_changes) and self.name_changes[count].is_durable:
            self.name_changes[count].apply(self.durable)
            count += 1
        del self.name_changes[:count]

    def write_state(self, target, choice_name, names_choice, random):
        """Writes the state after a power loss into a new folder."""
        names = dict(self.durable)
        for change in self.name_changes:
            if change.is_durable or names_choice == "all" or (names_choice == "subset" and random.random() < 0.5):
                change.apply(names)
        files = [entry for entry in names.values() if isinstance(entry, File) and entry.changes]
        only = random.choice(files) if choice_name == "one" and files else None
        os.mkdir(target, 0o700)
        for path in sorted(names):
            place = target + path[len(self.root) :]
            entry = names[path]
            if not path.startswith(self.root + "/") or not os.path.isdir(os.path.dirname(place)):
                continue
            if entry == FOLDER:
                os.mkdir(place, 0o700)
                continue
            name = choice_name if choice_name != "one" else "all" if entry is only else "nothing"
            contents = entry.contents(Choice(name, "delivered" not in path), random)
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            if any(contents):
                os.write(descriptor, contents)
            else:
                os.ftruncate(descriptor, len(contents))
            os.close(descriptor)
            if path.endswith(".sqlite"):
                self.write_index(place + "-shm", random)

    @staticmethod
    def write_index(path, random):
        """The index of a log is not there, or has zeros or random bytes."""
        kind = random.choice(["absent", "zeros", "random"])
        if kind != "absent":
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(descriptor, bytes(INDEX_BYTES) if kind == "zeros" else random.randbytes(INDEX_BYTES))
            os.close(descriptor)


def describe(event):
    """An event as text, for a report."""
    text = event.data[:120].decode(errors="replace") if event.kind in "OUMRLIP" else f"{len(event.data)} bytes"
    name = {"E": "sync: " + (errno.errorcode.get(event.number, "done"))}.get(event.kind, event.kind)
    return f"{name} {event.process}/{event.thread} {event.descriptor} {event.number} {text}"
