import type { ChildProcess } from 'node:child_process';

/**
 * Sends a signal to a child if it has a process. For a failed spawn, Node 20 passes on an unset
 * number: often 0, which means our own process group.
 */
export function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signal);
}
