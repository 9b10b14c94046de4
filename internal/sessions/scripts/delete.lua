-- Ends a session. Returns 0 if there is none.
return drop(ARGV[4])
