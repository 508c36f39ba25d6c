"""Times the sampling frame and the three designs on an invented corpus of the size of a large archive."""

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import polars as pl

from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.draw import draw_sample
from corpus.sampling.frame import Frame, build_frame
from corpus.sampling.sample import Sample

T = TypeVar("T")


def write_corpus(folder: Path, n_posts: int, n_replies: int) -> None:
    """Six communities of unequal size; a few posts get most of the replies, as in real ones."""
    post = pl.int_range(n_posts, dtype=pl.UInt64)
    community = pl.format("community-{}", post**2 * 6 // n_posts**2)
    posts = pl.select(post.alias("post"), community.alias("community"))
    spread = (pl.int_range(n_replies, dtype=pl.UInt64) * 2_654_435_761) % n_posts
    replies = pl.select((spread**2 // n_posts).alias("post"), pl.int_range(n_replies).alias("reply"))
    replies = replies.join(posts, on="post")
    counts = replies.group_by("post").agg(pl.len().alias("n_replies"))
    posts = posts.join(counts, on="post", how="left").with_columns(pl.col("n_replies").fill_null(0))
    post_id, reply_id = pl.format("post-{}", "post"), pl.format("reply-{}", "reply")
    posts = posts.select("community", post_id.alias("post_id"), "n_replies")
    replies = replies.select("community", post_id.alias("post_id"), reply_id.alias("reply_id"))
    posts.sample(fraction=1, shuffle=True, seed=1).write_parquet(folder / "posts.parquet")
    replies.sample(fraction=1, shuffle=True, seed=1).write_parquet(folder / "replies.parquet")


def write_corpus_elsewhere(folder: Path, n_posts: int, n_replies: int) -> None:
    """In a process of its own, so that its memory does not count as the frame's."""
    writer = multiprocessing.get_context("spawn").Process(
        target=write_corpus, args=(folder, n_posts, n_replies)
    )
    writer.start()
    writer.join()
    if writer.exitcode != 0:
        raise SystemExit("the invented corpus could not be written")


def time_call(label: str, work: Callable[[], T]) -> T:
    started = time.perf_counter()
    result = work()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{label:<45}{time.perf_counter() - started:7.2f} s   peak memory {peak:6.0f} MB")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=400_000)
    parser.add_argument("--replies", type=int, default=2_300_000)
    sizes = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus_elsewhere(folder, sizes.posts, sizes.replies)
        time_call("(idle)", lambda: None)
        posts, replies = (pl.scan_parquet(folder / f"{table}.parquet") for table in ("posts", "replies"))
        frame = time_call("build_frame", lambda: build_frame(posts, replies))
    for community in frame.communities:
        print(f"  {community.name}: {community.posts.height} posts, {community.replies.height} replies")
    first = draw_timed(frame, PpsPosts(n=217))
    draw_timed(frame, UniformPairs(n=100))
    draw_timed(frame, WholePosts(n=3_572))
    draw_timed(frame, PpsPosts(n=217, exclude=first.posts))


def draw_timed(frame: Frame, design: Design) -> Sample:
    label = f"{design.kind}, n = {design.n}" + (", disjoint from the first" if design.exclude else "")
    sample = time_call(label, lambda: draw_sample(frame, design, seed=1))
    print(f"  {len(sample.items)} items")
    return sample


if __name__ == "__main__":
    main()
