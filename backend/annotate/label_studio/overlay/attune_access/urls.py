"""Label Studio's addresses, with the access app's own before them."""

from core.urls import urlpatterns as label_studio
from django.urls import path, re_path

from attune_access.owner_api.accounts import annotator
from attune_access.owner_api.predictions import predictions
from attune_access.owner_api.seats import seat
from attune_access.owner_api.tasks import tasks
from attune_access.pages import asset
from attune_access.sign_in import sign_in

urlpatterns = [
    re_path(r"^attune/annotators/(?P<key>[a-z0-9-]+)/?\Z", annotator, name="attune-annotator"),
    re_path(r"^attune/projects/(?P<project_id>\d+)/seat/?\Z", seat, name="attune-seat"),
    re_path(r"^attune/projects/(?P<project_id>\d+)/tasks/?\Z", tasks, name="attune-tasks"),
    re_path(r"^attune/projects/(?P<project_id>\d+)/predictions/?\Z", predictions, name="attune-predictions"),
    path("attune/sign-in", sign_in, name="attune-sign-in"),
    path("attune/assets/<str:name>", asset, name="attune-asset"),
    *label_studio,
]
