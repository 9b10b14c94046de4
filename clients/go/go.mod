module roem/clients/go

go 1.24
