/// A behaviour of an extension that a host must survive; its name is the program's first argument.
///
/// Unless stated otherwise it happens in each call except `activate`; a second
/// argument limits it to one method.
enum Behaviour: String {
    /// Behaves correctly.
    case good

    // MARK: Ends

    /// Exits before it reads anything.
    case exitsAtOnce
    /// Exits instead of answering `activate`.
    case exitsBeforeActivate
    /// Exits with code 0 right after its answer to `activate`.
    case exitsAfterActivate
    /// Exits with code 3 during a call, after two lines on stderr.
    case exitsInCall
    /// Is ended by a signal during a call.
    case diesBySignal
    /// Writes half an answer and exits.
    case halfMessage
    /// Writes invalid UTF-8 to stdout and stderr, and exits with code 4.
    case badUTF8
    /// Sends a save and exits with code 3 before it is answered.
    case savesThenCrashes
    /// Writes 1 MiB to stderr and exits with code 8.
    case diesTalking
    /// Writes an endless line to stdout and exits with code 8 within it.
    case diesInLongLine

    // MARK: Stays silent

    /// Never answers `activate`.
    case muteActivate
    /// Never answers a call.
    case muteCall
    /// Writes garbage instead of the answer.
    case garbageThenHang
    /// Writes half an answer and waits.
    case halfMessageThenHang
    /// Answers with a wrong id.
    case wrongId
    /// Answers with every small id except the right one.
    case answersForOthers
    /// Closes its stdout in a call and keeps running.
    case closesOutput
    /// Closes its stdin in a call, answers and keeps running.
    case closesInput
    /// Closes its stdin and its stdout in a call and keeps running.
    case closesBoth
    /// Stops itself with SIGSTOP in a call, again whenever it is continued.
    case stopsForEver
    /// Answers its first call and reads nothing afterwards.
    case neverReads
    /// Sends endless requests and reads none of the answers.
    case floodsRequests
    /// Sends two requests with larger answers than it may leave unread, and reads neither.
    case leavesTooMuchUnread
    /// Like `floodsRequests`, but after the answer.
    case floodsRequestsAfterwards
    /// Sends endless saves after the answer.
    case savesForEver
    /// Sends endless notifications instead of the answer.
    case floodsForEver

    // MARK: Writes too much or invalid data, then answers

    /// Stops itself with SIGSTOP before the answer.
    case stopsItself
    /// Waits until more blocks of work run at once than there are processors.
    case needsManyThreads
    /// Writes invalid lines before the correct answer.
    case garbageFirst
    /// Prints before it reads anything.
    case printsAtStart
    /// Ends its lines with CR LF, separates them with blank ones, and begins with a byte order mark.
    case windowsLines
    /// Answers in writes of one byte.
    case byteByByte
    /// Answers `activate` and every call twice.
    case answersTwice
    /// Writes 100,000 notifications before the answer.
    case floodsOutput
    /// Writes 10,000 notifications before the answer.
    case floodsBriefly
    /// Writes 1 MiB on stderr before the answer.
    case floodsErrors
    /// Writes a line of 64 KiB before the answer.
    case mediumLine
    /// Writes a line of 64 MiB before the answer.
    case longLine
    /// Sends the host requests that it cannot carry out before the answer.
    case badRequests
    /// Sends a batch of a save and a `setView` before the answer.
    case batch
    /// Sends a batch of nothing, a batch in a batch and a batch of garbage before the answer.
    case badBatches
    /// Answers with a view of 10 MiB.
    case largeView

    // MARK: Answers what the contract does not allow

    /// Answers with a result and an error.
    case resultAndError
    /// Answers with an error that has no code.
    case errorWithoutCode
    /// Answers with a view of an unknown type.
    case badView
    /// Answers with a view that nests 65 deep.
    case deepView
    /// Answers with actions that are no array.
    case badActions
    /// Answers with media of an unknown button.
    case badMedia
    /// Answers with a text instead of an object.
    case badResult
    /// Answers a response with an unknown option.
    case badOption
    /// Answers `activate` without a version.
    case badVersion
    /// Answers `activate` with the version of another contract.
    case otherVersion
    /// Answers `activate` with an error.
    case refusesActivate
    /// Answers a call with an error of its own.
    case refuses

    // MARK: Answers what is no message

    /// Prints without a line's end, so that the answer stands behind it on one line.
    case printsWithoutEnd
    /// Answers with a member twice.
    case duplicateMembers
    /// Answers with `NaN`.
    case notANumber
    /// Answers with arrays nested 5,000 deep.
    case deepJSON
    /// Answers with a line of 17 MiB.
    case longAnswer
    /// Answers on many lines.
    case prettyPrints

    // MARK: Saves

    /// Sends a save, as a notification, of what is no record.
    case savesInvalid
    /// Sends a save, as a notification, to a suite of another group.
    case savesElsewhere
    /// Saves an event, as a request, and answers when that is answered.
    case saves

    // MARK: Asks for what is not its own

    /// Sends that save as a request, and answers with a view whose text is the error.
    case tellsRefusal
    /// Calls what only clients may call, and tells the codes of the errors.
    case callsClientMethods
    /// Calls all that touches a suite, in the suite that the title names, and tells each answer.
    case touchesSuite
    /// Calls all that names a notification for the one that the title names, and tells each answer.
    case touchesOthers
    /// Tells its environment, its folder, its arguments and its open descriptors.
    case tellsSurroundings
    /// Sets the view of a dismissed presentation 2,000 times.
    case floodsAfterDismissal

    // MARK: Has children

    /// Ends in a call with a child in its group that holds its pipes; the file `grandchild` tells its number.
    case grandchild
    /// As `grandchild`, with the child in a session of its own.
    case escapedGrandchild
    /// Ends in a call with a child of its own session that writes garbage on its stdout without end.
    case escapedFlood
    /// Starts a daemon, whose parent is gone, in a session of its own.
    case daemonises
    /// As `daemonises`, and the daemon has no environment.
    case daemonisesBare
    /// As `daemonises`, and ends with code 6.
    case daemonisesAndEnds
    /// Starts 30 children, half of them in sessions of their own.
    case multiplies
    /// Starts 30 children and ends with code 6.
    case multipliesAndEnds
    /// Moves to the host's process group and never answers.
    case joinsHostGroup

    // MARK: Takes too much

    /// Uses all memory it gets in a call, up to 1 GiB.
    case hogsMemory
    /// Lets a child do that.
    case hogsMemoryByChild
    /// Lets a daemon do that.
    case hogsMemoryByDaemon
    /// Uses 1 MiB more in each call.
    case growsMemory
    /// Uses the memory before it reads anything.
    case hogsMemoryAtStart
    /// Uses a processor in a call without end.
    case burnsProcessor
    /// Opens files until it gets no more, and tells how that ended.
    case hogsDescriptors

    // MARK: Stops badly

    /// Ignores SIGTERM and the end of its input.
    case ignoresTheEnd
    /// Ignores `deactivate` and the end of its input.
    case ignoresDeactivate

    // MARK: Helps tests

    /// Logs `waiting` in a call and answers when a byte comes from the named pipe `gate`.
    case waits
    /// As `waits`, with 40 KiB of notifications before the answer, and makes the file `answered` after it.
    case waitsAndTalks
    /// Saves an event of a long name behind its answer.
    case savesAfterwards
    /// Closes its presentation itself in a call.
    case dismisses
    /// Changes a file of its own bundle in a call.
    case changesBundle
    /// Shows a button for media, sends `mediaPlayingStarted` when it is touched and has no handler for the button.
    case playsMedia
}
