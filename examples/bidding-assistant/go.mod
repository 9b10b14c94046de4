module bidding-assistant

go 1.24

require roem/clients/go v0.0.0

replace roem/clients/go => ../../clients/go
