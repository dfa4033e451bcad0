import { openApiDocument } from '#server/openapi/openapi.ts';
import { settings } from '#server/settings/settings.ts';

// Names the public address, which is known only where it runs.
export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(openApiDocument(settings().publicUrl));
}
