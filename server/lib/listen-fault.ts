/**
 * Why nobody can listen there, in words that name the setting.
 *
 * @param host undefined for every address of the machine
 * @param error of `server.listen`
 * @returns null for any other fault than of a port or an address
 */
export function listenFault(
  { code }: NodeJS.ErrnoException,
  { port, host }: { port: number; host: string | undefined },
): string | null {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program. Stop it, or set PORT to another one.`,
    EACCES: `Port ${port} may not be used by this account. Set PORT to one above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Check the setting HOST.`,
    ENOTFOUND: `${host} is no address that this machine knows. Check the setting HOST.`,
  };
  return reasons[code ?? ''] ?? null;
}
