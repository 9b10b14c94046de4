package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	contract "roem/api"
	"roem/internal/boltfile"
	"roem/internal/config"
	"roem/internal/handlers"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/redisqueue"
	"roem/internal/sessions"
	"roem/internal/solvecache"
)

// check checks the addresses, the data folder and Redis of the configuration, without disturbing a server that runs with it. A fault
// with which the server would not start is an error. A fault with which it would run is a warning in the log.
func check(ctx context.Context, c config.Config, log *zap.Logger) error {
	return errors.Join(
		checkKeys(c.Auth),
		checkAddr(ctx, "addr", c.Addr, log),
		checkAddr(ctx, "metrics.addr", c.Metrics.Addr, log),
		checkData(c.Data, log),
		checkFiles(c, log),
		checkRedis(ctx, c, log),
	)
}

// checkKeys checks the operations of publishable keys, which the contract must have.
func checkKeys(auth config.Auth) error {
	doc, err := contract.Document()
	if err != nil {
		return err
	}
	if err := handlers.CheckOperations(doc, keysOf(auth)); err != nil {
		return fmt.Errorf("auth.keys: %w", err)
	}
	return nil
}

// checkAddr opens the port and closes it again.
func checkAddr(ctx context.Context, key, addr string, log *zap.Logger) error {
	if addr == "" {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		log.Warn("the address is in use already, perhaps by this server", zap.String("key", key), zap.String("addr", addr))
		return nil
	case err != nil:
		return fmt.Errorf("%s: cannot listen on %s: %w", key, addr, err)
	}
	return listener.Close()
}

// checkData checks that a file can be written into the folder, or that the folder could be created.
func checkData(dir string, log *zap.Logger) error {
	if dir == "" {
		return nil
	}
	err := tryFolder(dir)
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		log.Warn("the folder cannot be written: the server will run, but keep no results and no jobs", zap.String("key", "data"), zap.Error(err))
		return nil
	case errors.Is(err, syscall.ENOSPC):
		if _, missing := os.Stat(filepath.Join(dir, jobsFile)); missing == nil {
			log.Warn("the disk is full: the server will run, but accept no jobs", zap.String("key", "data"), zap.Error(err))
			return nil
		}
		return fmt.Errorf("data: the folder %q: %w", dir, err)
	case err != nil:
		return fmt.Errorf("data: the folder %q: %w", dir, err)
	}
	return nil
}

// checkFiles checks the files of the jobs and the sessions, if the server would use them. Damaged files are no fault with which it would
// not start.
func checkFiles(c config.Config, log *zap.Logger) error {
	if c.Data == "" || c.Redis.URL != "" {
		return nil
	}
	var all error
	for name, checkFile := range map[string]func(path string) error{
		jobsFile: boltqueue.Check, sessionsFile: func(path string) error { return boltfile.Check(path, 0) },
	} {
		path := filepath.Join(c.Data, name)
		err := checkFile(path)
		_, damaged := errors.AsType[*boltfile.DamageError](err)
		switch {
		case damaged:
			log.Warn("the file is damaged: the server will move it aside, and begin with an empty one", zap.String("file", path), zap.Error(err))
		case errors.Is(err, boltfile.ErrInUse):
			log.Warn("the file is in use already, perhaps by this server", zap.String("file", path))
		case errors.Is(err, fs.ErrPermission):
			log.Warn("the file cannot be read", zap.String("file", path), zap.Error(err))
		case err != nil:
			all = errors.Join(all, fmt.Errorf("data: the file %q: %w", path, err))
		}
	}
	return all
}

func tryFolder(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return err
		}
		return tryFolder(parent) // the folder will be created there
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("is not a folder")
	}
	file, err := os.CreateTemp(dir, ".check-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, newFiles))
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// newFiles is the size of the files of a new folder.
const newFiles = 256 << 10

// redisCheckLimit is how long the check of Redis may take.
const redisCheckLimit = 10 * time.Second

// checkRedis tries all that the stores do with Redis.
func checkRedis(ctx context.Context, c config.Config, log *zap.Logger) error {
	if c.Redis.URL == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, redisCheckLimit)
	defer cancel()
	redis.SetLogger(redisLog{log})
	err := redisqueue.Try(ctx, redisqueue.Options{Options: jobs.Options{Log: log}, URL: c.Redis.URL, Replicas: c.Jobs.Replicas})
	if err == nil {
		err = checkSessions(ctx, c.Redis.URL)
	}
	if err == nil {
		err = checkCache(ctx, c.Redis)
	}
	if err != nil {
		return fmt.Errorf("redis.url: %w", err)
	}
	return nil
}

func checkSessions(ctx context.Context, url string) error {
	store, err := sessions.NewRedis(sessions.RedisOptions{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(store.Check(ctx), store.Close())
}

func checkCache(ctx context.Context, c config.Redis) error {
	layer, err := solvecache.NewRedis(solvecache.RedisOptions{URL: c.URL, Timeout: c.Timeout})
	if err != nil {
		return err
	}
	return errors.Join(layer.Check(ctx), layer.Close())
}
