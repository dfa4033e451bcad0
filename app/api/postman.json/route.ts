import { postmanCollection } from '#server/openapi/postman.ts';
import { settings } from '#server/settings/settings.ts';

// Names the public address, which is known only where it runs.
export const dynamic = 'force-dynamic';

export function GET(): Response {
  const headers = {
    'content-disposition': 'attachment; filename="payment-gateway.postman_collection.json"',
  };
  return Response.json(postmanCollection(settings().publicUrl), { headers });
}
