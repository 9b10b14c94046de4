# docker build -t roem --build-arg VERSION="$(git describe --tags --always)" .
# docker run --rm -p 8080:8080 -v roem:/data roem

# make pin-images writes the digest of the tag. Another registry: --build-arg GO_IMAGE=...
ARG GO_IMAGE=golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
FROM ${GO_IMAGE} AS build
WORKDIR /src
# The modules come first: they change less often than the code.
COPY go.mod go.sum ./
RUN go mod download && go mod verify
COPY . .
ARG VERSION=devel
# As `make build` does. The programs contain nothing of the machine: the same source and VERSION give the same bytes.
RUN make worker VERSION="${VERSION}"
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -pgo=cmd/server/default.pgo -ldflags "-s -w -X main.version=${VERSION}" -o /out/ ./cmd/server ./cmd/roem && mkdir /data

FROM scratch
ARG VERSION=devel
LABEL org.opencontainers.image.title="Roem" \
      org.opencontainers.image.description="The exact value of a Klaverjas deal, over HTTP and at the command line" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
# The licences of Roem and of what the programs contain. The programs have root certificates of their own.
COPY LICENSE internal/web/notices.txt /licences/
COPY --from=build /out/server /out/roem /usr/local/bin/
# The data outlives the container. The folder belongs to the user below, and so does a volume that Docker creates for it.
COPY --from=build --chown=65532:65532 /data /data
ENV ROEM_DATA=/data
VOLUME /data
# The user is a number, so that an orchestrator can check that it is not root. There is no /etc/passwd with names.
USER 65532:65532
ENV ROEM_ADDR=:8080
EXPOSE 8080
# The health check is for Docker and Compose. Other orchestrators have their own probes.
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s CMD ["/usr/local/bin/server", "-ready"]
ENTRYPOINT ["/usr/local/bin/server"]
