// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's constants, which its documentation describes. On a phone they are of the type CFString.

public import Foundation
import UniformTypeIdentifiers

public nonisolated(unsafe) let kUTTypeImage = NSString("public.image")
public nonisolated(unsafe) let kUTTypeJPEG = NSString("public.jpeg")
public nonisolated(unsafe) let kUTTypePNG = NSString("public.png")
public nonisolated(unsafe) let kUTTypeGIF = NSString("com.compuserve.gif")
public nonisolated(unsafe) let kUTTypeAudio = NSString("public.audio")
public nonisolated(unsafe) let kUTTypeAudioInterchangeFileFormat = NSString("public.aiff-audio")
public nonisolated(unsafe) let kUTTypeWaveformAudio = NSString("com.microsoft.waveform-audio")
public nonisolated(unsafe) let kUTTypeMP3 = NSString("public.mp3")
public nonisolated(unsafe) let kUTTypeMPEG4Audio = NSString("public.mpeg-4-audio")
public nonisolated(unsafe) let kUTTypeMovie = NSString("public.movie")
public nonisolated(unsafe) let kUTTypeMPEG = NSString("public.mpeg")
public nonisolated(unsafe) let kUTTypeMPEG2Video = NSString("public.mpeg-2-video")
public nonisolated(unsafe) let kUTTypeMPEG4 = NSString("public.mpeg-4")
public nonisolated(unsafe) let kUTTypeAVIMovie = NSString("public.avi")
public nonisolated(unsafe) let kUTTypeQuickTimeMovie = NSString("com.apple.quicktime-movie")
public nonisolated(unsafe) let kUTTypeURL = NSString("public.url")
public nonisolated(unsafe) let kUTTypePlainText = NSString("public.plain-text")

public nonisolated(unsafe) let kUTTagClassFilenameExtension = NSString("public.filename-extension")
public nonisolated(unsafe) let kUTTagClassMIMEType = NSString("public.mime-type")

public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: NSString,
    _ inTag: NSString,
    _ inConformingToUTI: NSString?
) -> Unmanaged<NSString>? {
    let tag = inTag as String
    let type = inTagClass == kUTTagClassMIMEType ? UTType(mimeType: tag) : UTType(filenameExtension: tag)
    return type.map { Unmanaged.passRetained(NSString(string: $0.identifier)) }
}
