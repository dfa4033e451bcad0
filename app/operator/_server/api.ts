import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { vouchedPeer } from '#server/rest/peer-address.ts';
import { createContext } from '#server/trpc/context.ts';
import { createCaller } from '#server/trpc/root.ts';

/**
 * The operator's session and their way to the procedures. Who is not signed in is led
 * there; for anybody else these pages do not exist.
 */
export const operatorSession = cache(async () => {
  const [jar, list] = await Promise.all([cookies(), headers()]);
  const context = await createContext({
    cookies: Object.fromEntries(jar.getAll().map(({ name, value }) => [name, value])),
    // The operator's procedures look at no tenant; an environment has to be named.
    environment: 'sandbox',
    address: vouchedPeer(list),
  });
  const { session } = context;
  if (!session) redirect(`/dashboard/sign-in?next=${encodeURIComponent(list.get('x-path') ?? '')}`);
  if (!session.isOperator) notFound();
  return { session, api: createCaller(context) };
});
