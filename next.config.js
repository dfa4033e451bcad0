/** @type {import('next').NextConfig} */
export default {
  agentRules: false,
  // They read files of their own.
  serverExternalPackages: ['fontkit', 'pdfkit', 'stripe', 'subset-font'],
  // Pages are loaded when they are asked for; server/web/web.ts sees to the one that cannot wait.
  experimental: { agentUpgrade: false, preloadEntriesOnStart: false },
  poweredByHeader: false,
  // Everybody gets the title with the page, not after it: a screen reader may be there first.
  htmlLimitedBots: /./,
  // A form holds a card: nothing of what an action is called with is printed.
  logging: { serverFunctions: false },
  // A path with a slash at the end is no endpoint: 404 in the envelope, not a redirect.
  skipTrailingSlashRedirect: true,
  // No page has pictures that Next would have to make smaller: its endpoint for that is open to strangers,
  // each of whose requests costs a decoding, an encoding and a file.
  images: { unoptimized: true },
  // A browser would take the one in TypeScript for a film.
  headers: async () => [
    {
      source: '/samples/:file',
      headers: [
        { key: 'Content-Type', value: 'text/plain; charset=utf-8' },
        { key: 'Content-Disposition', value: 'attachment; filename=":file"' },
      ],
    },
  ],
  // `npm run check` holds the types of everything, tests included; a start need not wait for it.
  typescript: { ignoreBuildErrors: true },
};
