/// What an extension does that a host must survive; the name is the program's argument.
enum Behaviour: String {
    /// Does everything right.
    case good

    // MARK: Ends

    /// Ends before it reads anything.
    case exitsAtOnce
    /// Ends instead of answering `activate`.
    case exitsBeforeActivate
    /// Ends with code 3 in the middle of a call, after two lines on stderr.
    case exitsInCall
    /// A signal ends it in the middle of a call.
    case diesBySignal
    /// Writes half an answer and ends.
    case halfMessage
    /// Writes bytes that are no UTF-8 on stdout and stderr, and ends with code 4.
    case badUTF8
    /// Sends a save and ends with code 3 before that is answered.
    case savesThenCrashes
    /// Ends in a call with a child in its group that holds its pipes; the file `grandchild` tells its number.
    case grandchild
    /// As `grandchild`, with the child in a session of its own.
    case escapedGrandchild

    // MARK: Stays and says nothing

    /// Never answers `activate`.
    case muteActivate
    /// Never answers a call.
    case muteCall
    /// Writes garbage instead of the answer.
    case garbageThenHang
    /// Answers under another id.
    case wrongId
    /// Closes its stdout in a call and stays.
    case closesOutput
    /// Closes its stdin in a call, answers and stays.
    case closesInput
    /// Stops itself with SIGSTOP in a call, as often as it is let go on.
    case stopsForEver
    /// Ignores SIGTERM and the end of its input.
    case ignoresTheEnd

    // MARK: Talks too much or wrongly, then answers

    /// Stops itself with SIGSTOP before the answer.
    case stopsItself

    /// Writes lines that are no messages before the right answer.
    case garbageFirst
    /// Answers in writes of one byte.
    case byteByByte
    /// Answers `activate` and every call twice.
    case answersTwice
    /// Writes 100,000 notifications before the answer.
    case floodsOutput
    /// Writes 1 MiB on stderr before the answer.
    case floodsErrors
    /// Writes a line of 17 MiB before the answer.
    case longLine
    /// Sends the host requests that it cannot carry out before the answer.
    case badRequests
    /// Sends a batch of a save and a `setView` before the answer.
    case batch

    // MARK: Answers what the contract does not allow

    /// Answers with a result and an error.
    case resultAndError
    /// Answers with a view of an unknown type.
    case badView
    /// Answers with actions that are no array.
    case badActions
    /// Answers with a text instead of an object.
    case badResult
    /// Answers a response with an unknown option.
    case badOption
    /// Answers `activate` without a version.
    case badVersion
    /// Answers `activate` with an error.
    case refusesActivate
    /// Answers a call with an error of its own.
    case refuses

    // MARK: Saves

    /// Sends a save, as a notification, of what is no record.
    case savesInvalid
    /// Sends a save, as a notification, to a suite of another group.
    case savesElsewhere
    /// Saves an event, as a request, and answers when that is answered.
    case saves

    /// Sends that save as a request, and answers with a view whose text is the error.
    case tellsRefusal

    // MARK: Helps tests

    /// Logs `waiting` in a call and answers when a byte comes from the named pipe `gate`.
    case waits
    /// Closes its presentation itself in a call.
    case dismisses
}
