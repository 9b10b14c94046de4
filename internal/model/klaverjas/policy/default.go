package policy

// Name is the name of the model that comes with the program.
const Name = "klaverjas-policy"

// Version is the version of its weights.
const Version = "2"
