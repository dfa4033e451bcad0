import { settings } from '#server/env.ts';
import { metricsOfProcess } from '#server/rest/metrics-door.ts';
import { vouchedPeer } from '#server/rest/peer-address.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  const { status, headers, body } = await metricsOfProcess(
    {
      authorization: request.headers.get('authorization'),
      address: vouchedPeer(request.headers),
    },
    settings(),
  );
  return new Response(body, { status, headers });
}
