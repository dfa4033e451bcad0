import type { ChildProcess } from 'node:child_process';

/**
 * Sends a signal to a child, where there is a process of it. For one that could not be made, Node 20
 * passes on a number that nobody has set: often 0, which stands for our own group of processes.
 */
export function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signal);
}
