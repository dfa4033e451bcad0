/**
 * Why nothing can listen there, in words that name the setting.
 *
 * @param error from `server.listen`
 * @param place.host undefined for every address of the machine
 * @returns null when the fault is neither the port's nor the address's
 */
export function listenFault(
  { code }: NodeJS.ErrnoException,
  { port, host }: { port: number; host: string | undefined },
): string | null {
  const unknownName = `${host} is no address that this machine knows. Check the setting HOST.`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program. Stop it, or choose another port, such as PORT=${port + 1}`,
    EACCES: `Port ${port} may not be used by this account. Choose one above 1023, such as PORT=3000`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Check the setting HOST.`,
    ENOTFOUND: unknownName,
    EAI_AGAIN: unknownName,
  };
  return reasons[code ?? ''] ?? null;
}
