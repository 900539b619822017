import {
  type DefaultError,
  type MutateOptions,
  replaceEqualDeep,
  type UseMutationOptions,
  type UseMutationResult,
  // biome-ignore lint/style/noRestrictedImports: only allowed here
  useMutation as useCalls,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * A screen's mutation. While a request is running, the same request isn't sent again: the second
 * click of a double click can come before a render disables the button. The second caller gets
 * the first result.
 */
export function useMutation<Answer = unknown, Failure = DefaultError, Sent = void, Context = unknown>(
  options: UseMutationOptions<Answer, Failure, Sent, Context>,
): UseMutationResult<Answer, Failure, Sent, Context> {
  type Asked = MutateOptions<Answer, Failure, Sent, Context>;
  const mutation = useCalls(options);
  const { mutateAsync: call } = mutation;
  const running = useRef<readonly { sent: Sent; answer: Promise<Answer> }[]>([]);

  const mutateAsync = useCallback(
    (sent: Sent, asked?: Asked) => {
      const same = running.current.find((one) => isSame(one.sent, sent));
      if (same) return same.answer;
      const one = { sent, answer: call(sent, asked) };
      running.current = [...running.current, one];
      const over = () => {
        running.current = running.current.filter((other) => other !== one);
      };
      one.answer.then(over, over);
      return one.answer;
    },
    [call],
  );
  const mutate = useCallback(
    (sent: Sent, asked?: Asked) => {
      mutateAsync(sent, asked).catch(() => {}); // the state and the caller's promise report the error
    },
    [mutateAsync],
  );
  const { reset: leave } = mutation;
  const reset = useCallback(() => {
    running.current = []; // nobody waits for these results any longer
    leave();
  }, [leave]);
  return { ...mutation, mutate, mutateAsync, reset } as typeof mutation;
}

/** Compares by value, but files by identity. */
const isSame = (one: unknown, other: unknown) => replaceEqualDeep(one, other) === one;
