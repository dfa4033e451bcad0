import { type ChildProcess, spawn } from 'node:child_process';
import { countFailure, restartDelayMs } from './back-off.ts';
import { sendSignal } from './send-signal.ts';

export type ChildOptions = {
  name: string;
  /** Node's arguments. */
  args: string[];
  /** Called at every start: a database restart can change its address. */
  environment: () => NodeJS.ProcessEnv;
  cwd: string;
  say: (text: string) => void;
};

export type SupervisedChild = {
  /** The process id while it runs. */
  pid(): number | undefined;
  /** How many times in a row it ended by itself. */
  failures(): number;
  /** Ends the running process gracefully and starts another one. */
  restart(): void;
  /** Ends it for good: SIGTERM, and SIGKILL after `withinMs`. */
  stop(withinMs: number): Promise<void>;
  kill(): void;
};

/**
 * Runs a Node process and restarts it, with growing pauses, whenever it ends.
 *
 * The child gets its own process group, so that Ctrl-C in a terminal reaches only the supervisor,
 * which then ends its children in order. It also gets an IPC channel, which breaks when the
 * supervisor dies in any way, and so tells the child to end.
 */
export function superviseChild(options: ChildOptions): SupervisedChild {
  let child: ChildProcess | undefined;
  let tellStopped = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let restarting = false;
  let failures = 0;

  const start = (): void => {
    timer = undefined;
    restarting = false;
    const startedMs = performance.now();
    let over = false;
    const onEnd = (how: string): void => {
      if (over) return;
      over = true;
      child = undefined;
      if (stopping) {
        tellStopped();
        return;
      }
      if (restarting) {
        start();
        return;
      }
      failures = countFailure(failures, performance.now() - startedMs);
      const delayMs = restartDelayMs(failures);
      options.say(`! ${options.name} ended (${how}); starting it again in ${delayMs} ms`);
      timer = setTimeout(start, delayMs);
    };
    let started: ChildProcess;
    try {
      started = spawn(process.execPath, options.args, {
        cwd: options.cwd,
        env: options.environment(),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: true,
      });
    } catch (error) {
      onEnd((error as Error).message);
      return;
    }
    child = started;
    started.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    started.on('error', (error) => {
      // A running child ends by its exit, even if a message could not be sent to it.
      if (started.pid === undefined) onEnd(error.message);
    });
  };
  start();

  return {
    pid: () => child?.pid,
    failures: () => failures,
    restart: () => {
      if (stopping || !child) return;
      restarting = true;
      sendSignal(child, 'SIGTERM');
    },
    stop: (withinMs) =>
      new Promise((resolve) => {
        stopping = true;
        clearTimeout(timer);
        const running = child;
        if (!running) return resolve();
        const force = setTimeout(() => sendSignal(running, 'SIGKILL'), withinMs);
        tellStopped = () => {
          clearTimeout(force);
          resolve();
        };
        sendSignal(running, 'SIGTERM');
      }),
    kill: () => {
      stopping = true;
      clearTimeout(timer);
      if (child) sendSignal(child, 'SIGKILL');
    },
  };
}
