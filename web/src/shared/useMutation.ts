import {
  type DefaultError,
  type MutateOptions,
  replaceEqualDeep,
  type UseMutationOptions,
  type UseMutationResult,
  // biome-ignore lint/style/noRestrictedImports: the one place
  useMutation as useCalls,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * A call that a screen makes. While it is under way, the same call is not made a second time: of two presses the second
 * may come before anything could be drawn that holds it back. Whoever asks for it again is told what the first was
 * answered.
 */
export function useMutation<Answer = unknown, Failure = DefaultError, Sent = void, Context = unknown>(
  options: UseMutationOptions<Answer, Failure, Sent, Context>,
): UseMutationResult<Answer, Failure, Sent, Context> {
  type Asked = MutateOptions<Answer, Failure, Sent, Context>;
  const mutation = useCalls(options);
  const { mutateAsync: call } = mutation;
  const underWay = useRef<readonly { sent: Sent; answer: Promise<Answer> }[]>([]);

  const mutateAsync = useCallback(
    (sent: Sent, asked?: Asked) => {
      const same = underWay.current.find((one) => isSame(one.sent, sent));
      if (same) return same.answer;
      const one = { sent, answer: call(sent, asked) };
      underWay.current = [...underWay.current, one];
      const over = () => {
        underWay.current = underWay.current.filter((other) => other !== one);
      };
      one.answer.then(over, over);
      return one.answer;
    },
    [call],
  );
  const mutate = useCallback(
    (sent: Sent, asked?: Asked) => {
      mutateAsync(sent, asked).catch(() => {}); // told by the state, and by what was asked for
    },
    [mutateAsync],
  );
  const { reset: leave } = mutation;
  const reset = useCallback(() => {
    underWay.current = []; // nobody is told any more what these are answered
    leave();
  }, [leave]);
  return { ...mutation, mutate, mutateAsync, reset } as typeof mutation;
}

/** Whether two things are sent alike: by what they hold, and a file by being that file. */
const isSame = (one: unknown, other: unknown) => replaceEqualDeep(one, other) === one;
