import GRDB

print(DatabaseError(resultCode: .SQLITE_OK).resultCode.rawValue)
