/** @type {import('next').NextConfig} */
export default {
  agentRules: false,
  // Pages are loaded when they are asked for; server/web.ts sees to the one that cannot wait.
  experimental: { agentUpgrade: false, preloadEntriesOnStart: false },
  poweredByHeader: false,
  // A form holds a card: nothing of what an action is called with is printed.
  logging: { serverFunctions: false },
  // A path with a slash at the end is no endpoint: 404 in the envelope, not a redirect.
  skipTrailingSlashRedirect: true,
  // `npm run check` holds the types of everything, tests included; a start need not wait for it.
  typescript: { ignoreBuildErrors: true },
};
