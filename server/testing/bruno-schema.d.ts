// The package has no types of its own.
declare module '@usebruno/schema' {
  export const collectionSchema: { validate(collection: unknown): Promise<unknown> };
}
