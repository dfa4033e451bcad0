/**
 * Calls `end` when the process that started this one over an IPC channel is gone, even if it went
 * before this call: Node reports it only once, and a start takes a second.
 */
export function onSupervisorGone(end: () => void): void {
  process.on('disconnect', end);
  // Undefined where there never was a channel.
  if (process.connected === false) end();
}
