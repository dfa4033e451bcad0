/**
 * Calls `end` when the process that started this one over an IPC channel is gone, also when it
 * went before anybody listened here: Node tells of it once, and a start takes a second.
 */
export function onSupervisorGone(end: () => void): void {
  process.on('disconnect', end);
  // Undefined where there never was a channel.
  if (process.connected === false) end();
}
