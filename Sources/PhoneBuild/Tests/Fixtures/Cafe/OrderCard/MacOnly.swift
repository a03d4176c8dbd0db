import AppKit

final class DockTile: NSDockTile {}
