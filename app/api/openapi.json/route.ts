import { settings } from '#server/env.ts';
import { openApiDocument } from '#server/rest/openapi.ts';

// Names the public address, which is known only where it runs.
export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(openApiDocument(settings().publicUrl));
}
