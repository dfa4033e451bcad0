import type { NextRequest } from 'next/server';
import nextAuth from 'next-auth';
import { authOptions } from '#server/auth/next-auth.ts';
import { addressKey } from '#server/rest/address-key.ts';
import { vouchedPeer } from '#server/rest/peer-address.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const address = vouchedPeer(request.headers);
  const userAgent = request.headers.get('user-agent');
  const options = authOptions({ address, addressKey: addressKey(address), userAgent });
  const answer: Response = await nextAuth(request, context, options);
  answer.headers.set('Cache-Control', 'no-store');
  answer.headers.set('X-Content-Type-Options', 'nosniff');
  return answer;
}

export { handle as GET, handle as POST };
