import { vouchedPeer } from '#server/http/peer-address.ts';
import { metricsOfProcess } from '#server/observability/metrics-endpoint.ts';
import { settings } from '#server/settings/settings.ts';

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
