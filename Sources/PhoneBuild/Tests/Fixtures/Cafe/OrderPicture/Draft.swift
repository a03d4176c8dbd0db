This draft is no Swift and in no target.
