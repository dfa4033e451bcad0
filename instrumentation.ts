/** Next calls this once when the server starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startTracing } = await import('#server/observability/start-tracing.ts');
  // Our own server has done so before Next; `next start` has no other place.
  await startTracing('web');
  const { guardSecretsKey } = await import('#server/operating/secrets-key.ts');
  await guardSecretsKey();
  const { vouchForPeers } = await import('#server/http/peer-address.ts');
  const { settings } = await import('#server/settings/settings.ts');
  const { trustedProxyHops, publicUrl } = settings();
  vouchForPeers(trustedProxyHops);
  // next-auth reads its own address only from here.
  process.env.NEXTAUTH_URL = `${publicUrl}/api/auth`;
}
