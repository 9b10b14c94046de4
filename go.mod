module roem

go 1.26.8
