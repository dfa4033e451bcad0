import { z } from 'zod';
import { FAULT_TYPES } from './validation.ts';

/** The body of every failure but 422. */
export const errorResponse = z
  .object({
    result: z.literal(false),
    data: z.null(),
    error: z.object({
      message: z.string(),
      error_code: z.int().meta({ description: 'Equal to the HTTP status' }),
    }),
  })
  .meta({ id: 'ErrorResponse' });

/** The body of a 422: every fault of the request. */
export const validationErrorResponse = z
  .object({
    detail: z.array(
      z
        .object({
          loc: z.array(z.union([z.string(), z.int()])).meta({
            description: 'Where: body, query or header, then the field, array elements by index',
          }),
          msg: z.string(),
          type: z.enum(FAULT_TYPES),
        })
        .meta({ id: 'ValidationItem' }),
    ),
  })
  .meta({ id: 'ValidationErrorResponse' });

/** The envelope of a success around the schema of its data. */
export function successResponse(data: z.ZodType, id: string) {
  return z.object({ result: z.literal(true), data, error: z.null() }).meta({ id });
}
