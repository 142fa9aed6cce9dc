from emotion.recognition import join_predictions
from mmrole.core.labels import label_set
from mmrole.jobs.erc_page import erc_page

INPUTS = {"predictions": {"name": "p.jsonl", "sha256": "f" * 64}}


def joined(world):
    return join_predictions(world.dialogues, [{"utterance_id": u, "label": x} for u, x in world.predictions.items()])


def test_scores_classes_and_confusion(world):
    labels = label_set("cped-13")
    page = erc_page(joined(world).score(bootstrap=20), labels, INPUTS, bootstrap=20, seed=3, notes=["look"])
    assert "- predictions: p.jsonl (sha256 ffffffffffff)" in page
    assert "20 draws of whole dialogues, seed 3" in page
    assert "**note**: look" in page
    assert "| ERC accuracy | 0.500 |" in page
    # of four happy utterances two were found, one is ambiguous, one invalid; relaxed was taken for happy
    assert "| happy 快乐 | 0.667 | 0.500 | 0.571 | 4 | 3 |" in page
    row = next(line for line in page.split("## Confusion")[1].splitlines() if line.startswith("| happy"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["2", *["0"] * 12, "1", "1", "4"]
    assert "leave macro_f1: grateful, positive-other, fear" in page
    assert "`erc/accuracy/v1 labels=cped-13 unanswered=miss`" in page


def test_without_a_map_to_sentiments(world):
    result = joined(world).score(bootstrap=0)
    assert "no intervals were asked for" in erc_page(result, label_set("cped-13"), INPUTS, bootstrap=0, seed=0)
    undefined = join_predictions(world.dialogues, [{"utterance_id": "d1_0", "label": "joy"}], "meld-7").score(
        level="upper"
    )
    page = erc_page(undefined, label_set("meld-7"), INPUTS, bootstrap=0, seed=0)
    assert "– (no_sentiment_map)" in page
    assert "## Confusion" not in page
