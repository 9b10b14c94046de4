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
		checkModels(c),
		checkData(c),
		checkFiles(c, log),
		checkRedis(ctx, c, log),
	)
}

// checkKeys checks the operations of publishable keys, which the contract must have.
func checkKeys(auth config.Auth) error {
	if err := handlers.CheckOperations(contract.Embedded.Operations, keysOf(auth)); err != nil {
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

// checkModels reads the files of models.
func checkModels(c config.Config) error {
	_, err := openTrees(c.Models)
	_, wrong := openGinForest(c.Models)
	return errors.Join(err, wrong)
}

// checkData checks that a file can be written into the folder, or that the folder could be created. With Redis the server does not use it.
func checkData(c config.Config) error {
	if c.Data == "" || c.Redis.URL != "" {
		return nil
	}
	err := tryFolder(c.Data)
	if err == nil {
		return nil
	}
	if unwritable(err) {
		const text = "data: the folder %q cannot be written: there would be no jobs, and sessions would end with the server: %w"
		return fmt.Errorf(text, c.Data, err)
	}
	return fmt.Errorf("data: the folder %q: %w", c.Data, err)
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
		case err == nil && boltfile.IsEmpty(path):
			log.Warn("the file is empty: what was in it is lost, and it begins anew", zap.String("file", path))
		case damaged:
			log.Warn("the file is damaged: the server will move it aside, and keep what can be read", zap.String("file", path), zap.Error(err))
		case errors.Is(err, boltfile.ErrInUse):
			log.Warn("the file is in use already, perhaps by this server", zap.String("file", path))
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
