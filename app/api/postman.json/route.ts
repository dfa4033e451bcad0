import { settings } from '#server/env.ts';
import { postmanCollection } from '#server/rest/postman.ts';

// Names the public address, which is known only where it runs.
export const dynamic = 'force-dynamic';

export function GET(): Response {
  const headers = {
    'content-disposition': 'attachment; filename="payment-gateway.postman_collection.json"',
  };
  return Response.json(postmanCollection(settings().publicUrl), { headers });
}
